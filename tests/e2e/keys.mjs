/** Answers the wallet's windows one after the other. */
export async function answer(swap, prompts) {
  for (const [title, button] of prompts) {
    await swap.prompt.filter({ hasText: title }).waitFor();
    await swap.press(button);
  }
}

export async function type(swap, name, text) {
  await swap.tabTo(name);
  await swap.page.keyboard.press("ControlOrMeta+a");
  await swap.page.keyboard.type(text);
}
