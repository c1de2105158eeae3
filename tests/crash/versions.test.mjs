// What the package of another commit left in the browser is opened by this one, and the other way round, as after a
// deployment that was taken back: no trade is lost, signed twice or made twice.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { OLD, leave, leaveWaiting, openKept, openPage, openProfile, replay, start, startUser, take, takeWaiting } from "./versions/states.mjs";

let pages;
before(async () => (pages = await start()));
after(() => pages?.stop());

/** A user with a browser of its own. */
async function withUser(work) {
  const [user, profile] = await Promise.all([startUser(), openProfile(pages)]);
  try {
    await work(user, profile);
  } finally {
    await Promise.all([profile.discard(), user.sandbox.stop()]);
  }
}

for (const old of OLD) {
  const between = old === OLD[0] ? [[old, "new", old], ["new", old, "new"]] : [];
  for (const [first, ...later] of [[old, "new"], ["new", old], ...between]) {
    test(`${[first, ...later].join(", then ")}: each trade is there, and made once`, () =>
      withUser(async (user, profile) => {
        const left = await leave(profile, user, first);
        // One between them does what it does by itself.
        for (const version of later.slice(0, -1)) await openPage(profile, user, version).then(({ close }) => close());
        await take(profile, user, later.at(-1), left);
      }));
  }

  test(`a profile that was kept of ${old}, in the new one: each trade is there, and made once`, async () => {
    const [user, { profile, facts }] = await Promise.all([startUser(), openKept(pages, old)]);
    try {
      await replay(user, facts);
      // The entries of the first one name no service; this sandbox has another port than that of the second.
      await take(profile, user, "new", { ...facts, isLate: true, isElsewhere: old !== OLD[0] });
    } finally {
      await Promise.all([profile.discard(), user.sandbox.stop()]);
    }
  });
}

test(`an order that waits for its approval, in ${OLD.at(-1)}, which does not know such a thing: it asks for no second one`, () =>
  withUser(async (user, profile) => {
    await leaveWaiting(profile, user);
    await takeWaiting(profile, user, OLD.at(-1));
  }));
