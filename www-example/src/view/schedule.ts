import { h, render } from "preact";
import { element } from "./element.ts";
import { Schedule, type ScheduleProps } from "./schedule.tsx";

type Show = (
  slices: ScheduleProps["slices"],
  token: ScheduleProps["token"],
  done: number,
  more?: Partial<ScheduleProps>,
) => void;

/** `Schedule` inside a view that still makes its own nodes. */
export function scheduleView(): { node: HTMLElement; show: Show } {
  const node = element("div", { class: "island" });
  return {
    node,
    show: (slices, token, done, more) => render(h(Schedule, { slices, token, done, ...more }), node),
  };
}

/** The time of day; with the date when it is not today. */
export function timeWords(at: Date): string {
  const time = at.toLocaleTimeString([], { timeStyle: "short" });
  return at.toDateString() === new Date().toDateString()
    ? time
    : `${at.toLocaleDateString([], { month: "short", day: "numeric" })}, ${time}`;
}
