/** The time of day; with the date when it is not today. */
export function timeWords(at: Date): string {
  const time = at.toLocaleTimeString([], { timeStyle: "short" });
  return at.toDateString() === new Date().toDateString()
    ? time
    : `${at.toLocaleDateString([], { month: "short", day: "numeric" })}, ${time}`;
}
