/* The page's address names what is shown, so that it can be shared. */

/** Sets a parameter, or takes it away. */
export function setParameter(name: string, value: string | null): void {
  const url = new URL(location.href);
  if (url.searchParams.get(name) === value) return;
  if (value) url.searchParams.set(name, value);
  else url.searchParams.delete(name);
  history.replaceState(history.state, "", url);
}
