// Apply the chosen theme before the first paint; the default is the system's.
try {
  const chosen = localStorage.getItem("goldfinch:theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch { /* storage may be disabled: keep the system's theme */ }
