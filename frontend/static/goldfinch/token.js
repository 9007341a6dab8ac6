// The CSRF token. Signing in again rotates it, so the cookie's is newer than the form's.

/** @param {ParentNode} root */
export function token(root) {
  const cookie = document.cookie.split("; ").find((one) => /^(__Host-|__Secure-)?csrftoken=/.test(one));
  return cookie ? cookie.slice(cookie.indexOf("=") + 1) : root.querySelector("[name=csrfmiddlewaretoken]")?.value ?? "";
}
