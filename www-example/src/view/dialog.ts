import { element, icon, refocus } from "./element.ts";

const CROSS = "m5 5 10 10M15 5 5 15";

/** A modal dialog with a title and a close button. Focus returns to where it was. */
export function openDialog(title: string, content: (Node | string)[]): HTMLDialogElement {
  const before = document.activeElement;
  const dialog: HTMLDialogElement = element(
    "dialog",
    {
      class: "sheet",
      "aria-labelledby": "dialog-title",
      onclick: (event) => event.target === dialog && dialog.close(),
    },
    element(
      "div",
      { class: "sheet-body" },
      element(
        "div",
        { class: "title" },
        element("h2", { id: "dialog-title" }, title),
        element(
          "button",
          { type: "button", class: "quiet-button", "aria-label": "Close", onclick: () => dialog.close() },
          icon(CROSS),
        ),
      ),
      ...content,
    ),
  );
  dialog.addEventListener("close", () => {
    dialog.remove();
    refocus(before);
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
