// Made by `python -m scripts.reference` from the API's description. Do not edit.

/** The process answers. */
export interface Alive {
  status: "ok";
}

/** What the owner answers somebody, in their own words. */
export interface AnswerBody {
  text: string;
  key?: string | null;
}

/** Something about memories that is not as it should be. */
export interface AuditFinding {
  kind: "junk" | "duplicate" | "unsupported" | "contradictory" | "stale";
  memoryIds: string[];
  reason: string;
  fix: "archive" | "merge" | "forget" | "supersede" | "keep";
  memories: Memory[];
}

/** What of an audit is to be mended. */
export interface AuditFixBody {
  kind: "junk" | "duplicate" | "unsupported" | "contradictory" | "stale";
  memoryIds: string[];
}

/** How far the memories of a user can be trusted. */
export interface AuditReport {
  total: number;
  shares: AuditShares;
  findings: AuditFinding[];
}

/** Which part of the memories each kind of finding is about, from 0 to 1. */
export interface AuditShares {
  junk: number;
  duplicate: number;
  unsupported: number;
  contradictory: number;
  stale: number;
}

/** Who said it, as stamped at receipt. */
export interface Author {
  kind: "owner" | "assistant" | "participant" | "system";
  id: string | null;
  grade: string | null;
}

/** What to change about a conversation; fields that are not given stay as they are. */
export interface ChangeBody {
  title?: string;
  archived?: boolean;
  metadata?: Record<string, unknown>;
  model?: string | null;
  pinned?: boolean;
}

/** The channels that somebody takes part in. */
export interface ChannelList {
  channels: ChannelView[];
}

/** What came of trying a channel out. */
export interface ChannelTest {
  name: string;
  ok: boolean;
  message: string;
  remedy: string | null;
}

/** A channel, and how it fares. */
export interface ChannelView {
  name: string;
  state: "connected" | "waiting" | "failing" | "off";
  since: string | null;
  why: string | null;
  webhook: string | null;
  role: "dedicated" | "personal";
  policy: PolicyView | null;
}

/** A message that wants an answer. */
export interface ChatMessage {
  message: string;
  model?: string | null;
  context?: Record<string, unknown> | null;
  key?: string | null;
  idempotencyKey?: string | null;
  conversationId?: string | null;
  channel?: string;
}

/** A conversation as it can be taken up again. */
export interface Checkpoint {
  conversationState: ConversationState;
  turns: Message[];
  summary: string | null;
}

/** What a user chooses for themselves; fields that are not given stay as they are. */
export interface ChoicesBody {
  timezone?: string | null;
  model?: string | null;
}

/** What a model sees of a conversation. */
export interface ContextPacket {
  conversationId: string;
  conversationStatus: string;
  recentTurnSummaries: TurnSummary[];
  rollingSummary: string | null;
  activeTopics: string[];
  activeJobRefs: string[];
  pendingClarifications: OpenItem[];
  openLoops: OpenItem[];
  resolvedEntities: Record<string, string>;
  lastResponseType: string | null;
  contextCompiledAt: string;
  messages: (Record<string, unknown>)[];
  memories: Memory[];
  sections: PacketSection[];
  tokens: number;
  budget: number;
  truncatedMessages: number;
  leftOut: LeftOut[];
}

/** A part of the continuous conversation. */
export interface ContinuousExcerpt {
  messages: ExcerptMessage[];
  summary: DaySummary | null;
  truncated: boolean;
  nextBeforeMessageId: string | null;
  nextAfterMessageId: string | null;
}

/** A message in the continuous conversation, which wants an answer. */
export interface ContinuousMessage {
  message: string;
  model?: string | null;
  context?: Record<string, unknown> | null;
  key?: string | null;
  idempotencyKey?: string | null;
}

/** Some results of a search of the continuous conversation. */
export interface ContinuousPage {
  results: (FoundMessage | FoundSummary)[];
  nextCursor: string | null;
  timeWindow: TimeWindow | null;
  emptyWindow: TimeWindow | null;
}

/** What a conversation is called and what it is about. */
export interface ConversationDigest {
  title: string | null;
  titledBy: string | null;
  topics: string[];
  titleSources: SummarySource[];
  abbreviation: DigestPart | null;
  rollingSummary: DigestPart | null;
  needsAbbreviation: boolean;
}

/** A conversation, without its messages. */
export interface ConversationMeta {
  id: string;
  channel: string;
  mode: "standard" | "continuous";
  title: string | null;
  topics: string[];
  created: string;
  updated: string;
  turnCount: number;
  participants: string[];
  abbreviation: string | null;
  manuallyNamed: boolean;
  pinned: boolean;
  archived: boolean;
  model: string | null;
  metadata: Record<string, unknown>;
  channelMeta: Record<string, unknown>;
  readOnly: boolean;
  needsAbbreviation: boolean;
}

/** Some conversations, newest first. */
export interface ConversationPage {
  conversations: ConversationMeta[];
  nextCursor: string | null;
}

/** Where a conversation stands. */
export interface ConversationState {
  conversationId: string;
  status: "active" | "paused" | "resuming" | "awaiting_clarification" | "shutdown_clean";
  activeTopics: string[];
  pendingClarifications: StateItem[];
  openLoops: StateItem[];
  activeJobRefs: StateItem[];
  resolvedEntities: Record<string, Referent>;
  rollingSummary: string | null;
  lastIntent: string | null;
  lastResponseType: string | null;
  turnCount: number;
  covers: number;
  provisional: boolean;
}

/** A conversation with its last messages. */
export interface ConversationView {
  conversation: ConversationMeta;
  messages: Message[];
  hasMore: boolean;
}

/** A day in a list. */
export interface DayEntry {
  dayLabel: string;
  daySegmentId: string;
  messageCount: number;
  summaryMarkdown: string;
  updatedAt: string | null;
  closed: boolean;
}

/** Something that was left open, in the words it was said in. */
export interface DayLoop {
  text: string;
  messageId: string;
  kind: string;
  since: string | null;
  closed: LoopEnd | null;
}

/** Some days of the continuous conversation. */
export interface DayPage {
  days: DayEntry[];
  nextCursor: string | null;
}

/** The summary of a day. */
export interface DaySummary {
  daySegmentId: string;
  dayLabel: string;
  summaryMarkdown: string;
  updatedAt: string | null;
  messageIds: string[];
}

/** What a day was, in the owner's own words. */
export interface DaySummaryBody {
  summaryMarkdown: string;
}

/** A day of the continuous conversation. */
export interface DayView {
  day: string;
  dayLabel: string;
  daySegmentId: string | null;
  conversationId: string | null;
  timezone: string;
  messages: Message[];
  hasMore: boolean;
  messageCount: number;
  summaryMarkdown: string;
  summaryLines: SummaryLine[];
  summaryCoversUntil: string | null;
  summaryBy: string | null;
  summaryEdited: boolean;
  summaryDue: boolean;
  updatedAt: string | null;
  closed: boolean;
  loops: DayLoop[];
  previousDay: string | null;
  nextDay: string | null;
  today: string;
}

/** What became of a draft. */
export interface Decided {
  draftId: string;
  decision: "approved" | "edited" | "rejected";
  message: Message | null;
}

/** What becomes of a draft. */
export interface DecisionBody {
  decision: "approve" | "edit" | "reject";
  text?: string | null;
}

/** A line that is sent to a channel: an entry of the outbox. */
export interface Delivery {
  state: "waiting" | "sending" | "sent" | "delivered" | "read" | "failed";
  code: string | null;
  message: string | null;
  remedy: string | null;
  after: string | null;
  updated: string;
  messageId: string;
  conversationId: string;
  seq: number;
  channel: string;
  place: string;
  part: number | null;
  parts: number;
  attempts: number;
}

/** How far a message has come that is sent to a channel. */
export interface DeliveryStatus {
  state: "waiting" | "sending" | "sent" | "delivered" | "read" | "failed";
  code: string | null;
  message: string | null;
  remedy: string | null;
  after: string | null;
  updated: string;
}

/** Something outside the erased messages that stood on them, and goes with them. */
export interface DependentRef {
  conversationId: string;
  messageId: string | null;
}

/** A conversation, or a part of it, in fewer words. */
export interface DigestPart {
  text: string;
  points: Point[];
  by: string;
  made: string;
  through: number;
}

/** A reply that waits for the owner's word. */
export interface DraftReply {
  id: string;
  code: string;
  text: string;
  messageId: string | null;
  by: string;
  created: string;
}

/** The last message of the user, said otherwise. */
export interface EditedMessage {
  content: string;
  key?: string | null;
}

/** A message of the continuous conversation, word for word. */
export interface ExcerptMessage {
  messageId: string;
  role: "user" | "assistant" | "tool";
  content: string;
  createdAt: string;
  turnNumber: number;
  dayLabel: string | null;
  truncated: boolean;
}

/** An exchange with somebody who is not the owner, and what holds for them. */
export interface External {
  id: string;
  channel: string;
  party: string;
  name: string | null;
  created: string;
  updated: string;
  messageCount: number;
  lastText: string;
  lastBy: "party" | "assistant" | null;
  drafts: number;
  escalated: boolean;
  acknowledged: boolean;
  trust: "known" | "untrusted";
  policy: "answer" | "draft" | "acknowledge" | "ignore";
  scope: string;
  decided: string[];
  code: string;
}

/** What to change about an exchange; fields that are not given stay as they are. */
export interface ExternalChangeBody {
  trust?: "known" | "untrusted" | null;
  policy?: "answer" | "draft" | "acknowledge" | "ignore" | null;
  scope?: string | null;
  seen?: boolean;
}

/** Some exchanges, the latest first. */
export interface ExternalPage {
  external: External[];
  nextCursor: string | null;
}

/** A message of an exchange with an outsider, in which something was found. */
export interface ExternalResult {
  conversationId: string;
  conversationName: string | null;
  title: string | null;
  channel: string;
  abbreviation: string | null;
  matchedTurns: number[];
  timestamp: string;
  score: number;
  topics: string[];
  snippet: string;
  highlights: unknown[][];
  turnRange: string;
  messageIds: string[];
  kind: "conversation" | "message" | "external";
  explanation: Record<string, number> | null;
  external: Outside;
}

/** An exchange with its last messages. */
export interface ExternalView {
  external: External;
  messages: Message[];
  hasMore: boolean;
  unreachable: string | null;
  drafts: DraftReply[];
  withheld: Withheld[];
}

/** What was found in a conversation, and what became of it. */
export interface Extraction {
  by: string;
  added: Memory[];
  waiting: Memory[];
  merged: Merged[];
  superseded: Replaced[];
  skipped: Skipped[];
}

/** A conversation to read for what is worth remembering. */
export interface ExtractionBody {
  conversationId: string;
  dryRun?: boolean;
}

/** What is forgotten, or would be. */
export interface ForgetReceipt {
  preview: boolean;
  memories: Memory[];
  messages: number;
  erased: string[];
  restored: Memory[];
  remains: string[];
}

/** A turn of the continuous conversation in which something was found. */
export interface FoundMessage {
  kind: "message";
  dayLabel: string | null;
  daySegmentId: string | null;
  messageId: string;
  snippet: string;
  snippetMessageId: string;
  role: "user" | "assistant" | "tool";
  highlights: unknown[][];
  coveredBySummary: boolean;
  score: number;
  timestamp: string;
  turnNumber: number;
}

/** A day of the continuous conversation whose summary was found. */
export interface FoundSummary {
  kind: "summary";
  dayLabel: string;
  daySegmentId: string;
  summarySnippet: string;
  highlights: unknown[][];
  score: number;
  messageIds: string[];
}

/** How far the index can be trusted. */
export interface Health {
  status: "ok" | "rebuilding" | "degraded";
  detail: string;
  done: number;
  total: number;
  lost: string[];
}

/** What was done to a memory. */
export interface HistoryEntry {
  at: string;
  event: "added" | "edited" | "superseded" | "restored" | "candidate";
  by: string;
  content: string;
}

/** How much was said, what it cost, and how much is kept. */
export interface Insights {
  timezone: string;
  from: string;
  to: string;
  days: SaidOnDay[];
  channels: SaidOnChannel[];
  models: SaidByModel[];
  storage: StorageUse;
  index: Health;
}

/** Work that is due for one user. When it is done, there is no job any more. */
export interface Job {
  id: string;
  kind: string;
  user: string;
  key: string | null;
  state: "pending" | "running" | "failed" | "cancelled";
  attempts: number;
  after: string | null;
  progress: Progress | null;
  error: JobProblem | null;
}

/** What is still to be done in the background. */
export interface JobList {
  jobs: Job[];
}

/** Why a job failed, as any other error is told. */
export interface JobProblem {
  code: string;
  message: string;
  remedy: string;
}

/** Something that is not in the packet, or not all of it, and why. */
export interface LeftOut {
  section: "memories" | "yesterday" | "today" | "summary" | "state" | "rounds" | "history";
  reason: string;
}

/** The code of a sign-in link. */
export interface LinkSignIn {
  code: string;
}

/** How something that was open was closed. */
export interface LoopEnd {
  day: string;
  messageId: string;
  how: string;
}

/** Who is signed in, what holds for them, and what they may do. */
export interface Me {
  user: string;
  timezone: string;
  model: string;
  chosen: string[];
  name: string;
  scopes: string[];
  assistant: string;
}

/** Something that was learned, as the last line about it says. */
export interface Memory {
  id: string;
  type: "fact" | "preference" | "entity" | "project" | "decision";
  category: string | null;
  content: string;
  confidence: number;
  pinned: boolean;
  archived: boolean;
  accessCount: number;
  lastAccessedAt: string | null;
  sourceConversationId: string | null;
  sourceMessageId: string | null;
  quote: string | null;
  validFrom: string | null;
  supersededBy: string | null;
  created: string;
  updated: string;
  state: "kept" | "waiting";
  by: string;
  edited: boolean;
  beside: string[];
}

/** What to change about a memory; fields that are not given stay as they are. */
export interface MemoryChangeBody {
  content?: string;
  type?: "fact" | "preference" | "entity" | "project" | "decision";
  category?: string | null;
  pinned?: boolean;
  archived?: boolean;
  confidence?: number;
  validFrom?: string | null;
}

/** How a memory came to be what it is. */
export interface MemoryHistory {
  memory: Memory;
  before: Memory[];
  after: Memory[];
  changes: HistoryEntry[];
}

/** Some memories. */
export interface MemoryPage {
  memories: Memory[];
  nextCursor: string | null;
}

/** What was mended, of what an audit found. */
export interface Mended {
  changed: Memory[];
  fixed: AuditFinding[];
}

/** Something that is known already. */
export interface Merged {
  content: string;
  quote: string;
  memoryId: string;
}

/** One message of a conversation. */
export interface Message {
  id: string;
  conversationId: string;
  seq: number;
  role: "user" | "assistant" | "system" | "tool";
  content: string;
  parts: (Record<string, unknown>)[] | null;
  timestamp: string;
  turnNumber: number;
  channel: string | null;
  sender: string | null;
  author: Author | null;
  model: string | null;
  thinkingText: string | null;
  usage: Record<string, unknown> | null;
  cost: number | null;
  toolCalls: (Record<string, unknown>)[] | null;
  suggestedValues: unknown[] | null;
  suggestedActions: unknown[] | null;
  customPayload: unknown;
  intent: string | null;
  actionName: string | null;
  jobRefs: unknown[] | null;
  sources: Source[];
  key: string | null;
  replyTo: string | null;
  supersedes: string | null;
  status: "complete" | "streaming" | "interrupted" | "failed" | "superseded" | "redacted";
  delivery: DeliveryStatus | null;
}

/** A message is safely stored, and will be answered. */
export interface MessageAccepted {
  key: string | null;
  message: Message;
}

/** Some messages of a conversation, oldest first. */
export interface MessagePage {
  messages: Message[];
  hasMore: boolean;
}

/** A model that can be chosen. */
export interface ModelInfo {
  name: string;
  model: string;
  provider: string;
  connected: boolean;
  window: number;
  inputPrice: number | null;
  outputPrice: number | null;
  kind: "offline" | "connected";
}

/** The models that can be chosen, and the name of the one that answers otherwise. */
export interface ModelList {
  models: ModelInfo[];
  usual: string;
}

/** A model, by its name for `/model`. */
export interface ModelName {
  name: string;
}

/** Why a model did not answer. */
export interface ModelProblem {
  code: string;
  message: string;
  remedy: string;
}

/** What came of trying a model. */
export interface ModelTest {
  name: string;
  ok: boolean;
  latencyMs: number | null;
  problem: ModelProblem | null;
}

/** A conversation to start. */
export interface NewConversation {
  channel?: string;
  title?: string | null;
  metadata?: Record<string, unknown> | null;
  key?: string | null;
}

/** Something to remember. */
export interface NewMemoryBody {
  content: string;
  type?: "fact" | "preference" | "entity" | "project" | "decision";
  category?: string | null;
  pinned?: boolean;
  validFrom?: string | null;
  sourceConversationId?: string | null;
  sourceMessageId?: string | null;
  quote?: string | null;
}

/** A message to keep; what is left out stays empty or is stamped. */
export interface NewMessageBody {
  role: "user" | "assistant" | "system" | "tool";
  content: string;
  timestamp?: string | null;
  sender?: string | null;
  key?: string | null;
  debounced?: boolean;
  parts?: (Record<string, unknown>)[] | null;
  model?: string | null;
  thinkingText?: string | null;
  usage?: Record<string, unknown> | null;
  cost?: number | null;
  toolCalls?: (Record<string, unknown>)[] | null;
  suggestedValues?: unknown[] | null;
  suggestedActions?: unknown[] | null;
  customPayload?: unknown;
  intent?: string | null;
  actionName?: string | null;
  jobRefs?: unknown[] | null;
  sources?: SourceBody[] | null;
  replyTo?: string | null;
  lang?: string | null;
}

/** A token to create. */
export interface NewTokenBody {
  name?: string;
  scopes?: ("read" | "chat" | "write" | "recall" | "memory:read" | "memory:write" | "admin")[];
  expires?: string | null;
}

/** A token with its secret, which is shown this once. */
export interface NewTokenView {
  id: string;
  name: string;
  scopes: string[];
  created: string;
  expires: string | null;
  lastUsed: string | null;
  revoked: string | null;
  token: string;
}

/** Something that is left open, in the words it was said in. */
export interface OpenItem {
  text: string;
  turnNumber: number;
  messageId: string;
}

/** Who said what was found in an exchange with somebody who is not the owner. */
export interface Outside {
  by: "outsider" | "assistant" | "owner";
  party: string;
  name: string | null;
  sender: string | null;
  trust: "known" | "untrusted";
  claimed: boolean;
}

/** A part of a packet, and what it costs. */
export interface PacketSection {
  name: "memories" | "yesterday" | "today" | "summary" | "state" | "rounds" | "history";
  tokens: number;
  budget: number;
  sources: Source[];
}

/** A name and its password. */
export interface PasswordSignIn {
  name: string;
  password: string;
}

/** One line of a digest, and the messages it stands on. */
export interface Point {
  text: string;
  sources: SummarySource[];
}

/** How outsiders are treated, unless something else is decided of somebody. */
export interface PolicyView {
  known: "answer" | "draft" | "acknowledge" | "ignore";
  untrusted: "answer" | "draft" | "acknowledge" | "ignore";
  scope: string;
}

/** Why a request was refused, and what to do about it (RFC 9457). */
export interface Problem {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: string;
  remedy: string;
}

/** How far a job has come. */
export interface Progress {
  done: number;
  total: number;
}

/** What an erasure takes away, or has taken away. */
export interface Receipt {
  preview: boolean;
  conversationId: string;
  messages: number;
  dependents: DependentRef[];
  rows: number;
  fullText: number;
  pieces: number;
  erased: string[];
  remains: string[];
}

/** What words such as "that task" or "the second one" stand for. */
export interface Referent {
  kind: "job" | "item" | "loop";
  text: string;
  messageId: string;
  turn: number;
}

/** A reply that is wanted once more. */
export interface Regeneration {
  key?: string | null;
}

/** A memory whose place another one takes. */
export interface Replaced {
  memoryId: string;
  by: string;
}

/** An answer, and where it stands. */
export interface Reply {
  conversationId: string;
  turnNumber: number | null;
  reply: Message;
  newConversationId: string | null;
}

/** Some more of the reply. */
export interface ReplyDelta {
  conversationId: string;
  messageId: string;
  offset: number;
  text: string;
}

/** The reply is stored; or a command was answered. */
export interface ReplyFinished {
  conversationId: string;
  turn: Message;
  newConversationId: string | null;
}

/** A reply is being made. When it comes again for the same message, it begins anew. */
export interface ReplyStarted {
  conversationId: string;
  messageId: string;
  turnNumber: number;
}

/** Some more of what a model thinks before it says anything. */
export interface ReplyThinking {
  conversationId: string;
  messageId: string;
  offset: number;
  text: string;
}

/** A tool is used for the reply, or has been. */
export interface ReplyTool {
  conversationId: string;
  messageId: string;
  toolName: string;
  state: "started" | "finished" | "failed";
}

/** The replies of a model. */
export interface SaidByModel {
  messages: number;
  inputTokens: number;
  outputTokens: number;
  cost: number;
  model: string;
}

/** What was said on a channel. */
export interface SaidOnChannel {
  messages: number;
  inputTokens: number;
  outputTokens: number;
  cost: number;
  channel: string;
  turns: number;
}

/** What was said on a day. */
export interface SaidOnDay {
  messages: number;
  inputTokens: number;
  outputTokens: number;
  cost: number;
  day: string;
  turns: number;
  models: SaidByModel[];
}

/** Some results of a search, best first. */
export interface SearchPage {
  results: (ExternalResult | SearchResult)[];
  totalMatches: number;
  timeWindow: TimeWindow | null;
  emptyWindow: TimeWindow | null;
  nextCursor: string | null;
}

/** A conversation, or a round of one, in which something was found. */
export interface SearchResult {
  conversationId: string;
  conversationName: string | null;
  title: string | null;
  channel: string;
  abbreviation: string | null;
  matchedTurns: number[];
  timestamp: string;
  score: number;
  topics: string[];
  snippet: string;
  highlights: unknown[][];
  turnRange: string;
  messageIds: string[];
  kind: "conversation" | "message" | "external";
  explanation: Record<string, number> | null;
}

/** How far the index can be trusted, and what was done at the start. */
export interface ServedHealth {
  status: "ok" | "rebuilding" | "degraded";
  detail: string;
  done: number;
  total: number;
  lost: string[];
  started: StartReport;
}

/** Something that is not remembered, and why. */
export interface Skipped {
  quote: string;
  reason: string;
}

/** What a derived sentence stands on. */
export interface Source {
  messageId: string;
  quote: string | null;
}

/** What a message stands on. */
export interface SourceBody {
  messageId: string;
  quote?: string | null;
}

/** What was done when somebody's conversations were opened, and what was left to do then. */
export interface StartReport {
  streamsRead: number;
  linesCaughtUp: number;
  tornEndsMended: number;
  redactionsFinished: number;
  streamsMadeAgain: number;
  rebuild: "none" | "running" | "done";
  messagesAnswered: number;
  digestsQueued: number | null;
  milliseconds: number;
}

/** Something that is left open, in the words it was said in. */
export interface StateItem {
  kind: string;
  text: string;
  messageId: string;
  turnNumber: number;
  owedBy: string;
  ref: string | null;
}

/** Whether there was a reply to stop. */
export interface Stopped {
  stopped: boolean;
}

/** How much is kept. */
export interface StorageUse {
  conversations: number;
  ledgerBytes: number;
  indexBytes: number | null;
}

/** A line of the summary of a day, without its mark, and the messages that it stands on. */
export interface SummaryLine {
  text: string;
  section: string;
  sources: SummarySource[];
}

/** A message that a summary stands on, and what it is quoted for. */
export interface SummarySource {
  messageId: string;
  quote: string | null;
  turn: number;
  kind: string;
  by: string;
  point: number | null;
}

/** The window a search applied, in UTC; `to` is exclusive. */
export interface TimeWindow {
  from: string | null;
  to: string | null;
}

/** Every token there was. */
export interface TokenList {
  tokens: TokenView[];
}

/** A token as it is remembered; the secret is not. */
export interface TokenView {
  id: string;
  name: string;
  scopes: string[];
  created: string;
  expires: string | null;
  lastUsed: string | null;
  revoked: string | null;
}

/** A request cannot be done, or a reply cannot be made, or not to its end. */
export interface Trouble {
  code: string;
  message: string;
  remedy: string;
}

/** A turn in one line. */
export interface TurnSummary {
  turnNumber: number;
  text: string;
}

/** What will be made in the background. */
export interface Wanted {
  day: string;
}

/** What whoever wrote a reply to an outsider did not have. */
export interface Withheld {
  messageId: string;
  conversations: string[];
  memories: string[];
}
