// What people do. Each action changes the store at once where it can, and tells the server.
// None throws: what goes wrong becomes a notice, a `missing`, or stands with the message.
// Beside these: `drafts.ts` keeps what is typed, `renaming.ts` the names that are.

export { editMessage, regenerate, stopReply } from "./again";
/** Begins: who is there, the list, the socket, what waits in the outbox. Returns how to end.
 * `tryNow` connects at once instead of at `connection.nextTry`. */
export { begin, tryNow } from "./begin";
export { beginningPlace, onBegan } from "./beginnings";
export { archive, chooseModel, pin, rename } from "./changes";
/** `showDay` shows a day of the continuous conversation, as it was loaded. */
export { onSummary, showDay } from "./days";
/** `send` says something, in a conversation or in a `newPlace()`: it is on the screen at once, and
 * kept until the server has it. `resend` and `discard` are for what failed; `discard` gives the
 * text back. */
export { discard, resend, send } from "./delivery";
/** `eraseConversation` takes it off the screen, and erases it after a few seconds; then a receipt
 * is told. `undoErase` brings it back before. `eraseMessage` and `undoEraseMessage` do so with one
 * message. */
export { eraseConversation, eraseMessage, undoErase, undoEraseMessage } from "./erasures";
/** Somebody else may have changed an exchange, or it was changed here. */
export { externalsChanged, onExternals } from "./externals";
/** `forgetLater` takes something off the screen, and has it go after a few seconds; `undoForget`
 * brings it back before. */
export { forgetLater, undoForget } from "./forgetting";
/** A local id for a conversation that begins with its first message (`new-…`). */
export { isNewPlace, newPlace } from "./ids";
/** `show`: this tab shows a conversation (or, with null, none): its last messages come, or those
 * around a message. What is already there stays until the new is. */
export { loadEarlier, loadEnd, loadLater, loadMoreConversations, show } from "./loading";
export { memoriesChanged, onMemories } from "./memories";
/** Asks again for who is there, the models and the health. */
export { refreshHealth, refreshMe, signOut } from "./person";
