// The chosen theme, before the first paint; without a choice the system decides.
try {
  const chosen = localStorage.getItem("goldfinch:theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch { /* storage may be switched off: the system's theme stays */ }
