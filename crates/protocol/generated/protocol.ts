/** The words of Deputy as types. Written by `cargo xtask codegen` from crates/protocol; do not edit. */

/** Version of every protocol; peers with another one are refused with a clear error. */
export const PROTOCOL_VERSION = 1;

/** Nothing is there. */
export interface AbsentFile {
  kind: "absent";
}

/** Run a text with bash. */
export interface ShellAccess {
  access: "shell";
  /** The text as bash would get it. */
  command: string;
}

/** Read a file. */
export interface ReadAccess {
  access: "read";
  /** As given; relative to the working directory. */
  path: string;
}

/** List a folder. */
export interface ListAccess {
  access: "list";
  /** As given; relative to the working directory. */
  path: string;
}

/** Create or change a file or folder. */
export interface WriteAccess {
  access: "write";
  /** As given; relative to the working directory. */
  path: string;
}

/** Remove a file or folder. */
export interface DeleteAccess {
  access: "delete";
  /** As given; relative to the working directory. */
  path: string;
}

/** Move or rename. */
export interface MoveAccess {
  access: "move";
  /** From; relative to the working directory. */
  path: string;
  /** To; relative to the working directory. */
  dest: string;
}

/** Copy. */
export interface CopyAccess {
  access: "copy";
  /** From; relative to the working directory. */
  path: string;
  /** To; relative to the working directory. */
  dest: string;
}

/** Request an address. */
export interface UrlAccess {
  access: "url";
  /** The address as given. */
  url: string;
  /** Whether a page asks for it (`true`) or the address is navigated to. */
  subresource: boolean;
}

/** Look at or end what the task itself has started. */
export interface OwnAccess {
  access: "own";
  /** What of it, for people, e.g. `the output of b1`. */
  what: string;
}

/** What is done with memories. */
export type MemoryDeed =
  /** Look at those that may go to the task's folder. */
  | "look"
  /** Remember something for tasks in the same folder. */
  | "keep_here"
  /** Remember something for tasks in every folder. */
  | "keep_everywhere"
  /** Forget something. */
  | "forget"
  /** Read or write what the task notes down for itself. */
  | "scratchpad";

/** Look at what is remembered, or change it. */
export interface MemoryAccess {
  access: "memory";
  /** What is done. */
  does: MemoryDeed;
  /** What is looked for, remembered or forgotten. */
  text: string;
}

/** What is done with an open page. */
export type PageDeed =
  /** Look at it. */
  | "look"
  /** Click, type or choose in it. */
  | "act"
  /** Fill in a password, a one-time code or a card. */
  | "fill_secret"
  /** Send a form to another origin. */
  | "send_elsewhere"
  /** Run a script in it. */
  | "script"
  /** Hand files over to it. */
  | "upload"
  /** Write to it what was read on another origin. */
  | "carry_over";

/** Look at a page that is open in the task's browser, or act on it. */
export interface PageAccess {
  access: "page";
  /** What is done. */
  does: PageDeed;
  /** On what, and with which values, for people. */
  text: string;
}

/** One thing that a call would touch. */
export type Access =
  /** Run a text with bash. */
  | ShellAccess
  /** Read a file. */
  | ReadAccess
  /** List a folder, or walk the tree below it. */
  | ListAccess
  /** Create or change a file or folder. */
  | WriteAccess
  /** Remove a file or folder. */
  | DeleteAccess
  /** Move or rename. */
  | MoveAccess
  /** Copy. */
  | CopyAccess
  /** Request an address. */
  | UrlAccess
  /** Look at or end what the task itself has started. */
  | OwnAccess
  /** Look at what is remembered, or change it. */
  | MemoryAccess
  /** Look at a page that is open in the task's browser, or act on it. */
  | PageAccess;

/** Waits for its turn. */
export interface QueuedTask {
  state: "queued";
}

/** Plans or runs calls. */
export interface RunningTask {
  state: "running";
  /** From 1. */
  iteration: number;
}

/** Waits for its sub-tasks. */
export interface AwaitingSubtasksTask {
  state: "awaiting_subtasks";
  /** From 1. */
  iteration: number;
}

/** Why a task waits. */
export type PauseReason =
  /** The user paused it. */
  | "by_user"
  /** A question waits for its answer. */
  | "question"
  /** A permission request waits for its answer. */
  | "permission"
  /** A limit of time, tokens or cost was reached. */
  | "budget";

/** Waits for a person. */
export interface PausedTask {
  state: "paused";
  /** Why. */
  reason: PauseReason;
  /** From 1; 0 before the first. */
  iteration: number;
}

/** How a task ended. */
export type StopReason =
  /** The planner said it is done. */
  | "completed"
  /** The user stopped it. */
  | "manual_stop"
  /** It could not continue. */
  | "error"
  /** `max_iterations` was reached. */
  | "iteration_limit"
  /** The user denied what it could not do without. */
  | "denied"
  /** It was submitted without a model, and takes one. */
  | "needs_model";

/** A message of the catalogue with its arguments. */
export interface CatalogueMessage {
  /** Which message; see `crates/messages`. Where it is `joined`, `items` are said one after the other, with `by` between them. */
  id: string;
  /** By their names: a text, a number, a message without `text`, `text` alone for words without a message, or a list of these. They are data, never interpreted. */
  args: Record<string, unknown>;
  /** The same in English. */
  text: string;
}

/** Words for people: a message that a screen says in its own language, or a bare text, which is a person's or a model's own words, or from an older journal. */
export type Phrase = string | CatalogueMessage;

/** Ended. */
export interface StoppedTask {
  state: "stopped";
  /** How. */
  reason: StopReason;
  /** The final answer, or what went wrong and what to do next. */
  summary: Phrase;
  /** Requests of it that were denied, or expired. */
  denied: number;
  /** Whether everything that it changed was undone. */
  undone: boolean;
}

/** Its process died. */
export interface InterruptedTask {
  state: "interrupted";
  /** Where it was. */
  iteration: number;
}

/** The state of a task. */
export type TaskState =
  /** Waits for its turn. */
  | QueuedTask
  /** Plans or runs calls. */
  | RunningTask
  /** Waits for its sub-tasks, and does nothing itself. */
  | AwaitingSubtasksTask
  /** Waits for a person. */
  | PausedTask
  /** Ended. */
  | StoppedTask
  /** Its process died; it resumes from the journal. */
  | InterruptedTask;

/** How far the list is, for lists of tasks. */
export interface TodoProgress {
  /** Steps that are done. */
  done: number;
  /** Steps, less those that were dropped. */
  total: number;
  /** The step that is being worked on. */
  current: string | null;
}

/** The call that handed a sub-task over. */
export interface ParentCall {
  /** The task that the call belongs to. */
  task: string;
  /** The call. */
  call: string;
}

/** A task as lists show it. */
export interface TaskSummary {
  /** Its id. */
  id: string;
  /** Its session. */
  session: string;
  /** What the user wants. */
  goal: string;
  /** Its profile. */
  profile: string;
  /** Its backend. */
  backend: string;
  /** The model that plans it, where it is not the one that is configured. */
  model: string | null;
  /** Real path of its workspace. */
  workspace: string;
  /** Its state. */
  state: TaskState;
  /** Tokens used so far. */
  tokens: number;
  /** What they cost as far as prices are known, in millionths of the currency. */
  cost_micros: number | null;
  /** How far its to-do list is. */
  todo: TodoProgress | null;
  /** When it was submitted. */
  created_at_ms: number;
  /** When it last changed. */
  updated_at_ms: number;
  /** While it is queued: its place among the queued ones. */
  queue_rank: string | null;
  /** The title that a person gave the conversation that it begins. */
  title: string | null;
  /** Whether its conversation was put away when this was the newest task of it. */
  archived: boolean;
  /** The call of its parent task that delegated it, where it is a sub-task. */
  parent: ParentCall | null;
}

/** What a part is. */
export type PartKind =
  /** A simple command. */
  | "command"
  /** A path that is read or listed. */
  | "read"
  /** A path that is created, changed, moved or removed. */
  | "write"
  /** A host or origin. */
  | "host"
  /** A construct of the shell that is judged as such. */
  | "construct"
  /** Something of the person's own that is lent to the call: a login, a key, a socket. */
  | "loan";

/** What is to happen with a call. Ordered: the strictest of many is their maximum. */
export type Decision =
  /** It runs without a person. */
  | "allow"
  /** A person decides. */
  | "ask"
  /** It does not run. */
  | "deny";

/** How bad it would be if the call did harm. */
export type Risk =
  /** Reads, or changes that undo undoes. */
  | "low"
  /** Changes outside the workspace, the network, programs that do as they like. */
  | "medium"
  /** Loss of data, secrets, privileges, code from elsewhere. */
  | "high";

/** One simple command, path or host with its own decision. */
export interface Part {
  /** What it is. */
  kind: PartKind;
  /** The canonical form: a quoted argv, an absolute path, an origin. Control characters are escaped. */
  text: string;
  /** This part's decision. */
  decision: Decision;
  /** This part's risk. */
  risk: Risk;
  /** Why. */
  reason: Phrase;
}

/** One of several edits that are asked about together. An answer can leave it out. */
export interface RequestedEdit {
  /** The call that makes it. */
  call: string;
  /** What will happen, in a sentence. */
  summary: Phrase;
  /** Real path of the file; control characters escaped. */
  path: string;
  /** Unified diff of the change. */
  diff: string;
  /** How bad it could be. */
  risk: Risk;
  /** What the call itself is bound to: where that has changed when it is about to run, it is asked about again. */
  digest: string;
}

/** Make a folder. */
export interface CreateFolderAction {
  kind: "create_folder";
  /** Its new path. */
  path: string;
}

/** Move a file or a folder elsewhere. */
export interface MoveFileAction {
  kind: "move";
  /** Its path. */
  path: string;
  /** Its new path, its own name included. */
  destination: string;
}

/** Rename a file or a folder in its folder. */
export interface RenameAction {
  kind: "rename";
  /** Its path. */
  path: string;
  /** The new name, without a folder. */
  name: string;
}

/** Copy a file. */
export interface CopyFileAction {
  kind: "copy";
  /** Its path. */
  path: string;
  /** The path of the copy, its own name included. */
  destination: string;
}

/** Put a file or a folder into the trash. */
export interface TrashAction {
  kind: "trash";
  /** Its path. */
  path: string;
}

/** What one operation does. Paths are absolute, or relative to the scope's only folder. */
export type OrganizeAction =
  /** Make a folder, and those above it. */
  | CreateFolderAction
  /** Move a file or a folder elsewhere. */
  | MoveFileAction
  /** Rename a file or a folder in its folder. */
  | RenameAction
  /** Copy a file. */
  | CopyFileAction
  /** Put a file or a folder into the trash. */
  | TrashAction;

/** One operation of a plan. */
export interface OrganizeOperation {
  /** Unique in its plan. */
  id: string;
  /** What is to be done. */
  action: OrganizeAction;
  /** Why, for people. */
  reason: Phrase;
  /** How bad it would be if it were wrong; whatever a planner says, checking sets what the action's kind has. */
  risk: Risk;
}

/** What is to become of some folders. Operations are meant in their order: each path is where a thing stands once those before it are done. */
export interface OrganizePlan {
  /** Absolute real paths of the folders that it is about; nothing comes from or goes to anywhere else. */
  scope: string[];
  /** The thought behind it, for people. */
  reasoning: Phrase;
  /** In order. */
  operations: OrganizeOperation[];
}

/** The folders of a plan before it and after it. */
export interface DraftTrees {
  /** As they are: absolute paths, a folder's with a slash at its end, each after the folder that it is in. */
  before: string[];
  /** As they would be. */
  after: string[];
}

/** A plan of file operations as a request shows it. */
export interface RequestedPlan {
  /** The operations, each with the risk of its kind. */
  plan: OrganizePlan;
  /** The folders before it and after it; absent where they hold too much to be drawn. */
  trees: DraftTrees | null;
}

/** What the operating system lets a process do, whatever was decided. Ordered from narrow to wide. */
export type Confinement =
  /** System folders and the workspace readable, nothing writable, no network. */
  | "read_only"
  /** As `read_only`, and the workspace writable. */
  | "workspace"
  /** As `workspace`, and the network. */
  | "workspace_net"
  /** What the user may do, but privileges cannot be gained. */
  | "open";

/** Files that a command could change and that are not kept for undo. */
export interface NotKept {
  /** How many; a folder that was not looked into counts as one. */
  files: number;
  /** Their size together, as far as it is known. */
  bytes: number;
  /** Whether there is more than was counted. */
  and_more: boolean;
  /** A few of them with the reason, control characters escaped. */
  examples: Phrase[];
}

/** What a command tried. */
export type AttemptKind =
  /** To start a program. */
  | "execute"
  /** To read a file or a folder. */
  | "read"
  /** To change, make, remove or rename something. */
  | "write";

/** What a running command wants that its walls refuse: a yes opens exactly that to the rest of this call. */
export interface WantedAccess {
  /** The program that wants it, by its path; control characters escaped. */
  program: string;
  /** What it tries. */
  operation: AttemptKind;
  /** On what: a real path; control characters escaped. */
  path: string;
  /** What the call is, in a sentence. */
  of: Phrase;
}

/** What a request is about, as data for screens. */
export interface RequestDetails {
  /** Real path of the folder it runs in. */
  cwd: string;
  /** The text that bash would get, control characters escaped; only for commands. */
  command: string | null;
  /** Every simple command, path and host with its own decision. */
  parts: Part[];
  /** Whether the command keeps running after the call, until it is stopped or the task ends. */
  background: boolean;
  /** The folder of the task, where it runs in another one. */
  away_from: string | null;
  /** Seconds after which it is ended, where the call names others than it would get otherwise; only for commands. */
  time_limit_secs: number | null;
  /** Unified diff of the change. */
  diff: string | null;
  /** The edits of several calls, in the order of the plan, where they are asked about together: two or more, each of another file. Empty for every other request. */
  edits: RequestedEdit[];
  /** The plan of file operations that it executes, with both trees, where it is one. The request's digest covers it. */
  plan: RequestedPlan | null;
  /** What the operating system will let it do. */
  confinement: Confinement;
  /** What a command could change there that undo could not bring back; absent when there is nothing of that kind. */
  not_kept: NotKept | null;
  /** What the call wants, where it runs already and waits at one of its walls. Absent for a call that has not started. */
  wanted: WantedAccess | null;
}

/** This call only. */
export interface OnceLifetime {
  for: "once";
}

/** Until the task ends. */
export interface TaskLifetime {
  for: "task";
  /** The task. */
  task: string;
}

/** For every task of the session. */
export interface SessionLifetime {
  for: "session";
  /** The session. */
  session: string;
}

/** For some minutes from the answer on. */
export interface MinutesLifetime {
  for: "minutes";
  /** How many. */
  minutes: number;
}

/** Until revoked. */
export interface AlwaysLifetime {
  for: "always";
}

/** How long an answer holds. */
export type Lifetime =
  /** This call only; nothing is remembered. */
  | OnceLifetime
  /** Until the task ends. */
  | TaskLifetime
  /** For every task of the session. */
  | SessionLifetime
  /** For some minutes. */
  | MinutesLifetime
  /** Until revoked. */
  | AlwaysLifetime;

/** Exactly this call. */
export interface CallRule {
  kind: "call";
  /** The tool, for display. */
  tool: string;
  /** The call in words, for display. */
  summary: Phrase;
  /** The digest it is bound to. */
  digest: string;
}

/** Simple commands by their argv. */
export interface ArgvRule {
  kind: "argv";
  /** The words, literally. */
  argv: string[];
  /** Whether more words may follow. */
  prefix: boolean;
}

/** What may be done to a path. */
export type PathOperation =
  /** Read a file or list a folder. */
  | "read"
  /** Create or change. */
  | "write"
  /** Remove. */
  | "delete";

/** A path or a folder. */
export interface PathRule {
  kind: "path";
  /** What may be done. */
  operation: PathOperation;
  /** Real absolute path. */
  path: string;
  /** Whether everything below the path is covered too. */
  below: boolean;
  /** Whether git may note what is below the path too: `git add` and `git commit` there, where no hooks run. */
  commits: boolean;
}

/** A web origin. */
export interface OriginRule {
  kind: "origin";
  /** `scheme://host[:port]` in canonical form. */
  origin: string;
}

/** What a grant covers. */
export type GrantRule =
  /** Exactly this call in exactly this folder. */
  | CallRule
  /** Simple commands whose argv is exactly this, or begins with it. */
  | ArgvRule
  /** One path, or everything below a folder. */
  | PathRule
  /** One web origin. */
  | OriginRule;

/** One way to say yes. */
export interface Offer {
  /** How long it would hold. */
  lifetime: Lifetime;
  /** What would be remembered; absent for `once`. */
  rule: GrantRule | null;
  /** Whether more is remembered than exactly what is asked: further words, or a folder. */
  wider: boolean;
  /** The offer in words, e.g. `cargo test … in /home/me/project, always`. */
  label: Phrase;
}

/** A parked call that waits for a person. */
export interface PermissionRequest {
  /** Its id; unique, and the same after a restart. */
  id: string;
  /** The task that waits. */
  task: string;
  /** The session of that task. */
  session: string;
  /** The call that waits; the first of them where several edits are asked about together. */
  call: string;
  /** The tool's name. */
  tool: string;
  /** What will happen, in a sentence. */
  summary: Phrase;
  /** The thing itself. */
  details: RequestDetails;
  /** How bad it could be. */
  risk: Risk;
  /** Why it is asked. */
  reasons: Phrase[];
  /** What an answer binds to: tool, parameters, folder, confinement. */
  digest: string;
  /** The answers alongside `deny` that are open to the person; an answer that is not among them is refused. */
  offered: Offer[];
  /** When it was asked. */
  created_at_ms: number;
  /** From when it counts as denied. */
  expires_at_ms: number;
}

/** A question of the planner's, or of the loop's own brakes, that waits for a person. */
export interface Question {
  /** Its id. */
  id: string;
  /** The task that waits. */
  task: string;
  /** The question. */
  text: Phrase;
  /** Answers to choose from; free text where empty. */
  choices: string[];
  /** When it was asked. */
  created_at_ms: number;
}

/** Something runs or waits. */
export interface ActiveAgent {
  agent: "active";
  /** Tasks that have not ended, oldest first; the queued ones after the others, in the order in which they will start. */
  tasks: TaskSummary[];
  /** Permission requests without an answer. */
  requests: PermissionRequest[];
  /** Questions without an answer. */
  questions: Question[];
}

/** One call of a tool. */
export interface ToolCall {
  /** Unique over all tasks; the core replaces whatever id the model made. */
  id: string;
  /** The tool's name. */
  tool: string;
  /** An object that fits the tool's schema. */
  parameters: unknown;
  /** Why the arguments that the model gave could not be read, and how they begin; such a call is not made. */
  problem: string | null;
}

/** What the planner answers for one iteration. */
export interface AgentPlan {
  /** The planner's thought in plain words; shown to the user, may be empty. */
  reasoning: string;
  /** Calls to make, in order. */
  tool_calls: ToolCall[];
  /** A question for the user; the task waits for its answer. */
  question: string | null;
  /** Whether the task is done; only then is `summary` the final answer. */
  is_complete: boolean;
  /** What was done, for the user. */
  summary: string | null;
  /** Whether the task ends because only a model could do it; `summary` says what it would take. */
  needs_model: boolean;
  /** What the provider needs back together with this plan, such as signed thoughts, in the form of the backend that made it. Nothing else reads it. */
  provider_state: string | null;
}

/** Nothing runs. */
export interface IdleAgent {
  agent: "idle";
}

/** What every screen shows. */
export type AgentState =
  /** Nothing runs and nothing waits. */
  | IdleAgent
  /** Tasks that have not ended, and what waits for a person. */
  | ActiveAgent;

/** The formats that browsers and models read. */
export type PictureType =
  /** PNG. */
  | "image/png"
  /** JPEG. */
  | "image/jpeg"
  /** GIF. */
  | "image/gif"
  /** WebP. */
  | "image/webp";

/** A picture, kept as a blob. */
export interface PicturePart {
  part: "picture";
  /** BLAKE3 of its bytes; the blob store's key. */
  digest: string;
  /** Its format, by its own first bytes. */
  media_type: PictureType;
  /** Size in bytes. */
  size_bytes: number;
  /** Pixels across, as its header says. */
  width: number;
  /** Pixels down, as its header says. */
  height: number;
  /** What it is, in words. */
  alt: Phrase;
}

/** A picture inside another part, tagged like a part of its own, so that pictures have one form everywhere. */
export type InnerPicture =
  /** A picture. */
  | PicturePart;

/** A picture of a page before a click, with the click's target. */
export interface AimedPicture {
  /** The visible part of the page. */
  picture: InnerPicture;
  /** Pixels of the picture from its left edge to the element. */
  left: number;
  /** Pixels from its top edge. */
  top: number;
  /** Pixels across. */
  width: number;
  /** Pixels down. */
  height: number;
}

/** It may run. */
export interface AllowChoice {
  choice: "allow";
  /** For how long; must be among the request's offers. */
  lifetime: Lifetime;
  /** Whether the wider of two offers for that long is meant. */
  wider: boolean;
  /** The edits of the request that are left out, by their calls and in the request's order; only with `once`, and never all of them, which is a no. */
  dropped: string[];
}

/** It may not run. */
export interface DenyChoice {
  choice: "deny";
  /** Sent to the planner. */
  reason: Phrase;
}

/** Yes or no. */
export type Choice =
  /** It may run. */
  | AllowChoice
  /** It may not. */
  | DenyChoice;

/** The person at the host. */
export interface LocalAnswerer {
  by: "local";
  /** Which screen, e.g. `terminal`. */
  screen: string;
}

/** The person at a paired device. The signature is over these lines, each ended by a line feed but the last: `deputy-answer-1`, device, request, digest, choice, `expires_at_ms`, nonce, reason. The choice is `deny`, `allow once`, `allow task ID`, `allow session ID`, `allow minutes N` or `allow always`; `allow wider …` for the wider offer, `allow once without CALL,CALL` where edits are left out. */
export interface DeviceAnswerer {
  by: "device";
  /** Which device. */
  device: string;
  /** Its name, filled in by the host. */
  name: string;
  /** Until when the answer can be handed in: at most two minutes on the host's clock. */
  expires_at_ms: number;
  /** Random, at least 16 characters, never used again. */
  nonce: string;
  /** P-256, SHA-256, `r` and `s` of 32 bytes each, in base64url. */
  signature: string;
}

/** A standing consent up to a risk. */
export interface StandingAnswerer {
  by: "standing";
  /** Highest risk that it covers. */
  up_to: Risk;
}

/** Nobody answered in time. */
export interface ExpiryAnswerer {
  by: "expiry";
}

/** Who answered. */
export type Answerer =
  /** The person at a terminal or window of the host's own user. */
  | LocalAnswerer
  /** The person at a paired device, which has signed the answer. */
  | DeviceAnswerer
  /** What the person said beforehand with `--yes`. */
  | StandingAnswerer
  /** Nobody in time. */
  | ExpiryAnswerer;

/** A person's choice. */
export interface PermissionAnswer {
  /** Which request. */
  request: string;
  /** The digest of what the person saw. */
  digest: string;
  /** Yes or no. */
  choice: Choice;
  /** Who answered. */
  by: Answerer;
}

/** Answer a permission request. */
export interface AnswerPermissionCommand {
  command: "answer_permission";
  /** The answer. */
  answer: PermissionAnswer;
}

/** Answer a question. */
export interface AnswerQuestionCommand {
  command: "answer_question";
  /** Which. */
  request: string;
  /** The answer. */
  text: string;
}

/** Put a conversation away, or bring it back. */
export interface ArchiveCommand {
  command: "archive";
  /** Any task of the conversation. */
  task: string;
  /** Whether it is put away. */
  archived: boolean;
}

/** A person put away the conversation whose newest task this was, or brought it back. */
export interface Archived {
  type: "archived";
  /** Whether it is put away. */
  archived: boolean;
}

/** The planner's answer. */
export interface AssistantMessage {
  role: "assistant";
  /** Its thought or question; may be empty. */
  text: string;
  /** The calls it asked for. */
  tool_calls: ToolCall[];
  /** As in the plan. */
  provider_state: string | null;
}

/** Why something was refused or failed, for programs: they branch on this alone. */
export type ErrorCode =
  /** No hello came, or another message came first. */
  | "no_hello"
  /** The two sides use different versions of the protocol. */
  | "protocol"
  /** A message cannot be read, or its id cannot be used. */
  | "bad_message"
  /** A command has a field that the host does not know. Nothing was done. */
  | "bad_field"
  /** A WebSocket frame cannot be read. */
  | "bad_frame"
  /** The body of a request cannot be used. */
  | "bad_body"
  /** The body of a request came too slowly. */
  | "slow_body"
  /** A part of an address cannot be used. */
  | "bad_path"
  /** A query cannot be used. */
  | "bad_query"
  /** The header `Last-Event-ID` is not the number of an event. */
  | "bad_event_id"
  /** There is nothing at this address. */
  | "unknown_path"
  /** This address does not take this method. */
  | "unknown_method"
  /** The request has no proof of its sender. */
  | "no_proof"
  /** The session is not known. */
  | "bad_session"
  /** The session has ended. */
  | "session_over"
  /** The link was used before, or is too old. */
  | "bad_link"
  /** The challenge was used before, or is too old. */
  | "bad_challenge"
  /** The signature is not this device's, or not over this. */
  | "bad_signature"
  /** The device is not paired. */
  | "unknown_device"
  /** The device was revoked. */
  | "revoked"
  /** A device has to sign this, and did not. */
  | "unsigned"
  /** The caller is let in, but not allowed to do this. */
  | "not_allowed"
  /** The request names another host. */
  | "foreign_host"
  /** The request comes from a page that is not Deputy's. */
  | "foreign_origin"
  /** The address holds a secret. */
  | "secret_in_address"
  /** Too many attempts from this address have failed. */
  | "too_many_attempts"
  /** Messages arrived too fast. */
  | "too_many_messages"
  /** The client took events more slowly than they came. */
  | "too_slow"
  /** Nothing waits under this id. */
  | "unknown_request"
  /** Another answer came first. */
  | "already_answered"
  /** The request is not about what the answer names. */
  | "changed"
  /** The request does not offer this answer. */
  | "not_offered"
  /** The request cannot be allowed without what the answer leaves out. */
  | "cannot_drop"
  /** The request waited too long, or its task has ended. */
  | "expired"
  /** The signed answer is too old, or its time is still to come. */
  | "signature_over"
  /** The signature was used before. */
  | "replayed"
  /** There is no such task. */
  | "unknown_task"
  /** There is no such event. */
  | "unknown_event"
  /** There is no such grant. */
  | "unknown_grant"
  /** The task made no such call. */
  | "unknown_call"
  /** No such background command is running. */
  | "unknown_background"
  /** No more is kept of the call than its result. */
  | "unknown_output"
  /** The task has ended. */
  | "task_ended"
  /** The task is not in the queue. */
  | "not_queued"
  /** A task cannot start before itself. */
  | "before_itself"
  /** The task is empty. */
  | "empty_goal"
  /** The task is longer than a task may be. */
  | "goal_too_long"
  /** There is no such profile, or it cannot be used. */
  | "profile"
  /** The folder to work in cannot be used. */
  | "workspace"
  /** The task's scope cannot be used. */
  | "scope"
  /** It cannot be opened, or should not be. */
  | "cannot_open"
  /** The task's browser cannot be opened in a window. */
  | "cannot_take_browser"
  /** A rule of yours denies it. */
  | "denied"
  /** A setting cannot have this value, or cannot be changed from here. */
  | "bad_setting"
  /** The configuration cannot be read or written. */
  | "config"
  /** There is no such backend. */
  | "unknown_backend"
  /** The backend lacks a setting. */
  | "backend_settings"
  /** The backend lacks its key. */
  | "missing_key"
  /** The backend does not answer, or answers with an error. */
  | "backend"
  /** There is no such search provider, or its file cannot be read. */
  | "unknown_search_provider"
  /** The search provider lacks something, does not answer, or answers with an error. */
  | "web_search"
  /** The desktop's keyring does not do it. */
  | "keyring"
  /** This is not a key. */
  | "bad_key"
  /** It does not belong to an open pairing. */
  | "bad_pairing"
  /** No pairing was begun. */
  | "no_pairing"
  /** The name of a device cannot be used. */
  | "bad_name"
  /** Devices cannot connect to this host. */
  | "no_door"
  /** This host serves no page. */
  | "no_page"
  /** The system gives no random numbers. */
  | "no_randomness"
  /** There is no such scan, or not any more. */
  | "unknown_scan"
  /** A plan is about no folder, or about too many. */
  | "folders"
  /** This is not a convention for names. */
  | "convention"
  /** The folders could not be scanned. */
  | "scan"
  /** The plan cannot be carried out, or its draft cannot be kept. */
  | "draft"
  /** There is no such job. */
  | "unknown_job"
  /** Another job works in the same folders. */
  | "job_overlaps"
  /** The job was undone before. */
  | "job_undone"
  /** The job failed, or its journal cannot be used. */
  | "job"
  /** There is no such memory. */
  | "unknown_memory"
  /** The memory was forgotten. */
  | "forgotten"
  /** A memory cannot have this text. */
  | "bad_text"
  /** The journal does not answer. */
  | "store"
  /** What is kept of a task cannot be read. */
  | "task"
  /** The host cannot be reached, its answer does not fit, or it failed at this. */
  | "host"
  /** It was typed wrong. */
  | "usage"
  /** What was typed, or given on standard input, cannot be read or answered. */
  | "input"
  /** Some of the output could not be written. */
  | "output"
  /** Your home folder is not known. */
  | "no_home"
  /** Deputy's folder cannot be used. */
  | "home"
  /** Other users can change Deputy's folder. */
  | "unsafe_home"
  /** No host serves this home. */
  | "no_host"
  /** Another process serves this home. */
  | "already_served"
  /** The socket of the host cannot be used. */
  | "socket"
  /** The page cannot be served at this address. */
  | "listen"
  /** The address of the page is not on loopback. */
  | "not_loopback"
  /** Another program listens at this port. */
  | "port_in_use"
  /** The system gives no thread or no signal. */
  | "runtime"
  /** The setting is not set. */
  | "not_set"
  /** Your own rules cannot be used. */
  | "rules"
  /** Files changed meanwhile, so the job was not undone. */
  | "conflict"
  /** The pairing ended without a device. */
  | "pairing_over"
  /** Starting at login cannot be changed. */
  | "login"
  /** The page did not send it: the host is gone. */
  | "not_sent"
  /** Something failed in the page or its window. */
  | "page"
  /** A code of a newer version, which this one does not know. Its message and hints say what happened. */
  | "unknown";

/** An error at the edge. Screens branch on `code` alone. */
export interface ErrorBody {
  /** What it is, for programs. */
  code: ErrorCode;
  /** What was tried, on what, and why it failed. */
  message: Phrase;
  /** What to do next. */
  hints: Phrase[];
}

/** What came of asking a backend. */
export interface BackendCheck {
  answer: "backend_check";
  /** The backend. */
  backend: string;
  /** Why it cannot be used, if so. */
  problem: ErrorBody | null;
  /** The models that it offers. */
  models: string[];
  /** How long it took to answer. */
  took_ms: number;
}

/** A backend that a task may name. */
export interface BackendChoice {
  /** Its name. */
  name: string;
  /** The configured model, where there is one. */
  model: string | null;
  /** What is missing before it can be asked; a key in the keyring is not looked for. */
  problem: ErrorBody | null;
}

/** The environment variable in which people keep a host's key. It is sent to that host alone. */
export interface UsualKey {
  /** The host. */
  host: string;
  /** The variable. */
  variable: string;
}

/** What a check asks a backend. */
export type Probe =
  /** Which models its provider has. */
  | "models";

/** An address that many people have. */
export interface Preset {
  /** Whose. */
  label: string;
  /** The address. */
  address: string;
}

/** What a setting is. */
export type SettingKind =
  /** A line of text. */
  | "text"
  /** The address of a server. The key belongs to it. */
  | "address"
  /** The name of a model; a check may list them. */
  | "model"
  /** A number. */
  | "number"
  /** Yes or no. */
  | "switch"
  /** One of several words. */
  | "choice"
  /** Names with texts. */
  | "table";

/** One setting of a backend. */
export interface BackendSetting {
  /** Its name in `config.toml`. */
  name: string;
  /** What people call it. */
  label: Phrase;
  /** What it is. */
  kind: SettingKind;
  /** What holds where it is not set; absent where nothing does. */
  default: unknown;
  /** Whether the backend works only once it is set. */
  required: boolean;
  /** Whether it is changed in the file or by `deputy config set` alone. */
  advanced: boolean;
  /** What it can be, where its kind is `choice`. */
  choices: string[];
  /** What to know before setting it. */
  hint: Phrase;
}

/** What a backend declares in its file. Nothing but the file knows more of it. */
export interface BackendForm {
  /** What people call it. */
  label: Phrase;
  /** What it is, in a sentence. */
  summary: Phrase;
  /** Whether it can be given a key. */
  takes_key: boolean;
  /** Where keys usually are, by the host that each is meant for. */
  usual_keys: UsualKey[];
  /** What a check asks it; absent where it only loads it with its settings. */
  probe: Probe | null;
  /** Where its server is when it runs on this machine, with `{port}` in it; such servers are looked for. */
  local_address: string | null;
  /** Addresses that many people have. */
  presets: Preset[];
  /** What can be set, in the order to ask for it. */
  settings: BackendSetting[];
}

/** Which backend, set up how. It is in every request, so that no setting is lost with a restart. */
export interface BackendRef {
  /** Its name. */
  name: string;
  /** Its settings from `config.toml`, e.g. `base_url`, `model`, `timeout_secs`. */
  settings: Record<string, unknown>;
}

/** A kind of place for a key. */
export type KeyPlaceKind =
  /** A variable of the environment that the host was started in. */
  | "variable"
  /** The desktop's keyring. */
  | "keyring";

/** Where a key is looked for. The key itself never goes to a screen. */
export interface KeyPlace {
  /** What kind of place. */
  kind: KeyPlaceKind;
  /** The variable's or the keyring entry's name. */
  name: string;
}

/** What is known of a backend. */
export interface BackendSettings {
  /** Its name. */
  name: string;
  /** Whether it came with Deputy; the others are files of the user's own. */
  shipped: boolean;
  /** What its file declares; absent where it declares nothing. */
  form: BackendForm | null;
  /** What is set of the settings that a screen may change, by their names. */
  values: Record<string, string>;
  /** Address of its server. */
  base_url: string | null;
  /** Its model. */
  model: string | null;
  /** Where its key is looked for; absent where none is expected. */
  key: KeyPlace | null;
}

/** Why a background command ended. */
export type BackgroundEnd =
  /** By itself. */
  | "exited"
  /** The task stopped it. */
  | "stopped_by_task"
  /** The user stopped it. */
  | "stopped_by_user"
  /** Its task ended. */
  | "task_ended"
  /** It reached `limits.background_secs`. */
  | "time_limit"
  /** Deputy was restarted; it ended with the process that had started it. */
  | "host_restarted";

/** The whole output of a command, both streams in the order in which they came, kept next to the journal. */
export interface KeptOutput {
  /** BLAKE3 of the text; the blob store's key. */
  digest: string;
  /** Its size in bytes. */
  size_bytes: number;
  /** Bytes that came after it and are not kept: a command may write `limits.command_output_mib` at most. */
  omitted_bytes: number;
}

/** A regular file by its content. */
export interface KeptFile {
  kind: "file";
  /** BLAKE3 of the content; the blob store's key. */
  digest: string;
  /** Size in bytes. */
  size_bytes: number;
  /** Permission bits, as in `0o644`. */
  mode: number;
}

/** A folder. */
export interface KeptFolder {
  kind: "folder";
  /** Permission bits, as in `0o755`; absent where they do not matter. */
  mode: number | null;
}

/** A symbolic link by what it says. */
export interface KeptLink {
  kind: "link";
  /** The path it holds, as it was written. */
  target: string;
}

/** A pipe, socket or device. */
export interface SpecialFile {
  kind: "special";
  /** `pipe`, `socket` or `device`. */
  what: string;
}

/** Something of which no copy was made. */
export interface UnkeptFile {
  kind: "unkept";
}

/** What is at a path. */
export type FileState =
  /** Nothing. */
  | AbsentFile
  /** A regular file whose content is kept as a blob. */
  | KeptFile
  /** A folder. */
  | KeptFolder
  /** A symbolic link, which is kept as what it says and never followed. */
  | KeptLink
  /** A pipe, socket or device: it has no content, and undo can only remove it. */
  | SpecialFile
  /** Something that is not known well enough to be brought back, such as a file of which no copy was made. */
  | UnkeptFile;

/** One file or folder as a call left it; journalled before the change with what it was. */
export interface FileChange {
  /** Absolute path. */
  path: string;
  /** What was there before. */
  before: FileState;
  /** What is there afterwards. */
  after: FileState;
}

/** Something that a command tried and the walls refused. */
export interface RefusedAttempt {
  /** What it tried. */
  operation: AttemptKind;
  /** On what: an absolute path. */
  path: string;
  /** Why it was refused. */
  why: Phrase;
}

/** A background command is gone, with everything that it started. */
export interface BackgroundEnded {
  type: "background_ended";
  /** Which. */
  background: string;
  /** The call that had started it. */
  call: string;
  /** Why it ended. */
  why: BackgroundEnd;
  /** Its exit code, where it ended by itself and was not killed. */
  exit_code: number | null;
  /** One line for people and for the planner, e.g. `exit code 1 after 3.2 s`. */
  message: Phrase;
  /** The end of what it wrote. */
  tail: string;
  /** All that it wrote, where that is longer. */
  kept: KeptOutput | null;
  /** Files that differ from before it started, for undo. */
  changes: FileChange[];
  /** What the walls refused while it ran, as they saw it. */
  refused: RefusedAttempt[];
}

/** A command keeps running behind the calls that follow. */
export interface BackgroundStarted {
  type: "background_started";
  /** Its name within the task: `b1`, `b2`, ... */
  background: string;
  /** The call that started it. Its live output comes as progress of this call. */
  call: string;
  /** The command, control characters escaped. */
  command: string;
  /** Real path of the folder it runs in. */
  cwd: string;
  /** What the operating system lets it do. */
  confinement: Confinement;
  /** Whether it listens on the task's own loopback, which the task's later commands share. */
  own_network: boolean;
  /** The blob that lists what was there before it started; absent where it may write nothing. */
  manifest: string | null;
}

/** Right before another one. */
export interface BeforePlace {
  place: "before";
  /** The other one; it must be queued too. */
  task: string;
}

/** What a planner is given besides the conversation, journalled where it differs from the step before. */
export interface Briefed {
  type: "briefed";
  /** The blob of the system text. */
  system: string;
  /** The blob of the tools, as JSON. */
  tools: string;
  /** The blob of the tasks before it in the conversation, as JSON; absent where there are none. */
  earlier: string | null;
}

/** Who uses a browser. */
export type BrowserUser =
  /** None is open. */
  | "nobody"
  /** The task. */
  | "task"
  /** A person, in a window; the task's calls wait. */
  | "person";

/** The browser of a task as it is now. */
export interface BrowserAnswer {
  answer: "browser";
  /** Who uses it. */
  used_by: BrowserUser;
  /** The address of its page. */
  url: string | null;
  /** Whether the host runs on a desktop, where a window can be opened. */
  has_display: boolean;
}

/** The browser of a task as it is now. */
export interface BrowserQuery {
  query: "browser";
  /** The task. */
  task: string;
}

/** A person gave the browser of a task back. */
export interface BrowserReturned {
  type: "browser_returned";
  /** The page that the person left it on. */
  url: string | null;
}

/** A person took the browser of a task over. */
export interface BrowserTaken {
  type: "browser_taken";
  /** The page that it was on. */
  url: string | null;
}

/** A limit that pauses a task. */
export type BudgetLimit =
  /** `max_wall_secs`. */
  | "time"
  /** `max_tokens`. */
  | "tokens"
  /** `max_cost_cents`. */
  | "cost"
  /** `max_cost_cents` cannot be kept: the price of the model is unknown. */
  | "unknown_price"
  /** `day_tokens`. */
  | "day_tokens"
  /** `day_cost_cents`. */
  | "day_cost";

/** A limit of time or money that a task reached, with what was spent and what it bought. */
export interface BudgetReached {
  /** Which limit. */
  limit: BudgetLimit;
  /** Tokens that count against it. */
  tokens: number;
  /** What they cost as far as prices are known, in millionths of the currency. */
  cost_micros: number;
  /** Seconds that the task worked. */
  worked_secs: number;
  /** Its steps. */
  steps: number;
  /** Files that it changed. */
  files: number;
  /** Its calls that changed something. */
  calls: number;
}

/** Policy's answer for a whole call. */
export interface Verdict {
  /** The strictest of the parts. */
  decision: Decision;
  /** The highest of the parts. */
  risk: Risk;
  /** Why, in plain words, the strictest first, without repetition. */
  reasons: Phrase[];
  /** What the operating system will let it do if it runs. */
  confinement: Confinement;
  /** Each part with its own decision: simple commands, paths, hosts. */
  parts: Part[];
}

/** What running a call again would do; decides what happens to a call that a crash cut off. */
export type Effect =
  /** Changes nothing: may run next to others, and again after a crash. */
  | "read_only"
  /** Running it twice is the same as once. */
  | "idempotent"
  /** Running it twice may do harm: never run again without a person. */
  | "mutating";

/** Policy decided on a call. */
export interface CallDecided {
  type: "call_decided";
  /** The call. */
  call: string;
  /** The decision with its reasons. */
  verdict: Verdict;
  /** What running it twice would mean. */
  effect: Effect;
  /** What was decided about, for people. */
  summary: Phrase;
  /** What the decision binds to. */
  digest: string;
  /** The grant that allowed or denied it, if one did. */
  grant: string | null;
}

/** How a call ended. */
export type CallStatus =
  /** It did what it says. */
  | "ok"
  /** It ran and failed, or could not run; `content` says why. */
  | "failed"
  /** Policy or a person said no; `content` says why. */
  | "denied"
  /** It was ended by stop or a time-out. */
  | "cancelled"
  /** The process died while it ran: it may or may not have happened. */
  | "unknown";

/** Parameters of `$/cancel`. */
export interface CancelParams {
  /** Id of the request to end; it is answered with the error `cancelled`. */
  id: number;
}

/** What the server sends first on a connection that has to be proved. */
export interface Challenge {
  type: "challenge";
  /** Random, good once; a device signs it. */
  challenge: string;
  /** The server's clock, which every expiry is held against. */
  now_ms: number;
}

/** One setting, by its key in the file. */
export interface SettingChange {
  /** E.g. `limits.max_iterations`. */
  key: string;
  /** Its value as text; absent takes the setting out, so that the default holds. */
  value: string | null;
}

/** Change settings: all of them or, where one is not valid, none. */
export interface ChangeSettingsCommand {
  command: "change_settings";
  /** The changes. */
  changes: SettingChange[];
}

/** Ask a backend's provider, now, which models it has. */
export interface CheckBackendQuery {
  query: "check_backend";
  /** The backend. */
  backend: string;
}

/** Search the web once, now, with the provider that is set. */
export interface CheckSearchQuery {
  query: "check_search";
}

/** A profile that a task may name. */
export interface ProfileChoice {
  /** Its name. */
  name: string;
  /** One line for lists; empty where its file cannot be read. */
  description: Phrase;
}

/** Limits of a task. `0` means none, but for `tool_output_chars`. A limit that an older journal does not know has its default. */
export interface Limits {
  /** Plan-execute-observe cycles; then the planner answers once more, and the task stops as `iteration_limit`. */
  max_iterations: number;
  /** Seconds of running (not of waiting for a person), then the task parks. */
  max_wall_secs: number;
  /** Tokens over all plans, then the task parks. */
  max_tokens: number;
  /** What all plans may cost, in hundredths of the currency, then the task parks. */
  max_cost_cents: number;
  /** Tokens of all tasks of a day, then each of them parks. What is configured when a plan is due counts. */
  day_tokens: number;
  /** What all tasks of a day may cost, in hundredths of the currency; likewise. */
  day_cost_cents: number;
  /** Tokens that one call of `python_inference` may use. */
  inference_tokens: number;
  /** Characters of a result that the planner sees. */
  tool_output_chars: number;
  /** Tokens of one request to the model; before it is full, older steps give way to a summary. */
  context_tokens: number;
  /** Seconds a permission request waits before it counts as denied. */
  request_expiry_secs: number;
  /** How often the same call may repeat or fail, or calls be denied, in a row before the user is asked. */
  brake_after: number;
  /** Calls that only read and run at the same time. */
  parallel_calls: number;
  /** The longest that one command may take, in seconds. */
  command_secs: number;
  /** Seconds that a command gets whose call names no time. */
  command_default_secs: number;
  /** Seconds of processor time of each process of a command. */
  command_cpu_secs: number;
  /** Private memory of each process of a command, in MiB. */
  command_memory_mib: number;
  /** Processes and threads of a command. */
  command_processes: number;
  /** Size of the largest file that a command may write, in MiB. */
  command_file_mib: number;
  /** Output of a command that is kept, in MiB; the rest is counted. */
  command_output_mib: number;
  /** Background commands of a task that run at the same time. */
  background_commands: number;
  /** The longest that a background command may run, in seconds. */
  background_secs: number;
}

/** What a new task may be given, and what it gets when it names nothing. */
export interface Choices {
  /** The backend of tasks that name none. */
  backend: string;
  /** The profile of tasks that name none. */
  profile: string;
  /** All backends: the shipped ones, then the user's own. */
  backends: BackendChoice[];
  /** All profiles: the shipped ones, then the user's own. */
  profiles: ProfileChoice[];
  /** Limits as configured; a profile may narrow them. */
  limits: Limits;
  /** Folders of the user's that are there and that people keep their files in. */
  folders: string[];
}

/** What a new task may be given. */
export interface ChoicesAnswer {
  answer: "choices";
  /** As the host has it now. */
  choices: Choices;
}

/** What a new task may be given. */
export interface ChoicesQuery {
  query: "choices";
}

/** What a task may touch. Empty: the workspace and nothing else is special. */
export interface Scope {
  /** Folders it may read besides the workspace. */
  read: string[];
  /** Folders it may propose to change; empty means the workspace. */
  write: string[];
  /** When not empty: the only files it may touch at all. */
  only_files: string[];
  /** When not empty: only files that carry one of these tags. */
  only_tags: string[];
  /** The naming convention for files in its plans, as an example of itself; any names when absent. */
  names: string | null;
}

/** Hand over a task. */
export interface StartCommand {
  command: "start";
  /** What the user wants. */
  goal: string;
  /** The folder to work in, absolute. */
  workspace: string;
  /** Profile; the configured default when absent. */
  profile: string | null;
  /** Backend; the configured default when absent. */
  backend: string | null;
  /** Model of that backend; the configured one when absent. */
  model: string | null;
  /** Session to continue; a new one when absent. */
  session: string | null;
  /** The task that this one continues: it belongs to the same session and is held to the same scope. */
  after: string | null;
  /** What it may touch beyond the workspace. Where it says nothing, a task of a session has the scope of the newest one before it; with `after` it says nothing. */
  scope: Scope;
  /** Overrides the profile's; 0 for none, as the other limits. */
  max_iterations: number | null;
  /** Overrides the profile's seconds of running. */
  max_wall_secs: number | null;
  /** Overrides the profile's tokens. */
  max_tokens: number | null;
  /** Overrides the profile's cost, in hundredths of the currency. */
  max_cost_cents: number | null;
  /** Requests up to this risk count as allowed once. */
  standing_consent: Risk | null;
}

/** End a task. */
export interface StopCommand {
  command: "stop";
  /** Which. */
  task: string;
}

/** Let a task wait. */
export interface PauseCommand {
  command: "pause";
  /** Which. */
  task: string;
}

/** Let a task continue. */
export interface ResumeCommand {
  command: "resume";
  /** Which. */
  task: string;
}

/** Before all others. */
export interface FirstPlace {
  place: "first";
}

/** After all others. */
export interface LastPlace {
  place: "last";
}

/** A place among the tasks that wait for their turn. */
export type QueuePlace =
  /** Before all others: it starts next. */
  | FirstPlace
  /** Right before another one. */
  | BeforePlace
  /** After all others. */
  | LastPlace;

/** Give a queued task another place. */
export interface MoveInQueueCommand {
  command: "move_in_queue";
  /** Which. */
  task: string;
  /** Where to. */
  to: QueuePlace;
}

/** Give a conversation a title. */
export interface RenameCommand {
  command: "rename";
  /** Any task of the conversation. */
  task: string;
  /** Its title, one line; absent: what was said first in it. */
  title: string | null;
}

/** Begin a conversation of its own with what another one said and did up to a step. */
export interface ForkCommand {
  command: "fork";
  /** The task that has the step; those before it in its conversation come along. */
  task: string;
  /** The last step that the new conversation has; the newest that has ended when absent. Files stay as they are now. */
  step: number | null;
  /** What to do from there. */
  text: string;
}

/** A task as it was submitted. It never changes. */
export interface TaskSpec {
  /** Its id. */
  id: string;
  /** The conversation it belongs to. */
  session: string;
  /** What the user wants, in their words. */
  goal: string;
  /** Name of the profile that runs it. */
  profile: string;
  /** Name of the backend that plans it. */
  backend: string;
  /** The model that plans it, where it is not the one that is configured. */
  model: string | null;
  /** Real path of the workspace: the working directory and the folder the task may read. */
  workspace: string;
  /** What it may touch beyond the workspace. */
  scope: Scope;
  /** When it is stopped or parked. */
  limits: Limits;
  /** Requests up to this risk count as answered `allow once` beforehand (`--yes`). */
  standing_consent: Risk | null;
  /** The call of its parent task that delegated it, where it is a sub-task. */
  parent: ParentCall | null;
}

/** It was submitted. */
export interface Created {
  type: "created";
  /** The task. */
  spec: TaskSpec;
  /** What its person should know before anything runs: that the workspace is the home, or holds it. */
  notice: string | null;
}

/** A person gave a queued task another place. */
export interface QueueMoved {
  type: "queue_moved";
  /** Its place from now on. */
  rank: string;
}

/** A person gave the conversation that this task begins a title. */
export interface Renamed {
  type: "renamed";
  /** The title; absent: what was said first. */
  title: string | null;
}

/** An iteration began. */
export interface IterationStarted {
  type: "iteration_started";
  /** From 1. */
  iteration: number;
}

/** Tokens of one plan. */
export interface Usage {
  /** Tokens read, those from the provider's cache included. */
  input_tokens: number;
  /** Tokens written, thoughts included. */
  output_tokens: number;
  /** Of those read, tokens that came from the provider's cache. */
  cached_tokens: number;
  /** Of those written, tokens of thoughts. */
  reasoning_tokens: number;
}

/** The planner answered. */
export interface Planned {
  type: "planned";
  /** The plan, its calls with the core's ids. */
  plan: AgentPlan;
  /** What it cost. */
  usage: Usage;
  /** Milliseconds from request to answer. */
  duration_ms: number;
  /** The model that was configured then, where the backend names one. */
  model: string | null;
  /** The backend that answered, where it was not the task's own. */
  backend: string | null;
  /** What it cost, in millionths of the currency, where the price is known. */
  cost_micros: number | null;
}

/** Why a backend did not answer; stable. */
export type PlanErrorCode =
  /** The key is missing, wrong, or may not do this. */
  | "auth"
  /** Too many requests; `retry_after_secs` says when. */
  | "rate_limited"
  /** The conversation is too long for the model. */
  | "context_overflow"
  /** The provider cannot be reached, is too slow, or broke off. */
  | "network"
  /** The provider's answer cannot be used. */
  | "bad_response"
  /** The provider does not have the model. */
  | "model_missing"
  /** The core took the request back. */
  | "cancelled"
  /** The backend's name or settings are wrong. */
  | "bad_settings"
  /** The sidecar died or does not start. */
  | "sidecar"
  /** A fault in the sidecar or a backend file. */
  | "internal";

/** What a provider counted for an answer that could not be used. */
export interface SpentInVain {
  /** Who counted it. */
  backend: string;
  /** Its model, where it names one. */
  model: string | null;
  /** The tokens. */
  usage: Usage;
  /** Millionths of the currency, by the prices then; absent where the price is unknown. */
  cost_micros: number | null;
}

/** The planner did not answer. */
export interface PlanFailed {
  type: "plan_failed";
  /** Why, for programs. */
  code: PlanErrorCode;
  /** Why, for people, with the next step. */
  message: Phrase;
  /** How often in a row, from 1. */
  attempt: number;
  /** Milliseconds until it is asked again; absent when it is not asked again by itself. */
  retry_in_ms: number | null;
  /** The backend that is asked instead, as `backend` or `backend/model`. */
  next_backend: string | null;
  /** The tokens that it cost, if the provider counted them. */
  spent: SpentInVain | null;
}

/** Older steps are replaced by a summary in what the planner reads. The journal keeps all of them. */
export interface Compacted {
  type: "compacted";
  /** The last iteration that only the summary covers. */
  through_iteration: number;
  /** How many messages of the conversation that were. */
  messages: number;
  /** What the planner reads in their place. */
  summary: string;
}

/** Notes of earlier tasks that the planner was given. */
export interface Noted {
  type: "noted";
  /** As it was given. */
  text: string;
  /** Whether it comes right behind the goal; otherwise behind the conversation so far. */
  at_start: boolean;
}

/** A folder with files of guidance. */
export interface GuidanceFolder {
  /** Its real path. */
  folder: string;
  /** What is there: `AGENTS.md`, and skills by their names. */
  files: string[];
}

/** Folders with files of guidance were found that the user has not decided on. */
export interface GuidanceFound {
  type: "guidance_found";
  /** The folders. */
  folders: GuidanceFolder[];
}

/** A file of guidance. */
export interface GuidanceText {
  /** Where it is from. */
  path: string;
  /** What it says. */
  text: string;
}

/** A skill: every request says what it is for; its text comes only once it was asked for. */
export interface Skill {
  /** Its name. */
  name: string;
  /** What it is for. */
  description: string;
  /** Its `SKILL.md`. */
  path: string;
}

/** What the planner is given of the user's guidance, as it was when the task began. */
export interface Guided {
  type: "guided";
  /** Texts, the most general first. */
  texts: GuidanceText[];
  /** Skills that it may ask for. */
  skills: Skill[];
}

/** How far a step is. */
export type TodoState =
  /** Still to come. */
  | "pending"
  /** Being worked on. */
  | "active"
  /** Done. */
  | "done"
  /** Not to be done after all. */
  | "dropped";

/** One step. */
export interface TodoStep {
  /** What is to be done, in a few words. */
  title: string;
  /** How far it is. */
  state: TodoState;
}

/** The planner put down its steps, or moved on. */
export interface TodoChanged {
  type: "todo_changed";
  /** The call that did. */
  call: string;
  /** All steps, in their order. */
  steps: TodoStep[];
}

/** A call has delegated work to sub-tasks. The task waits until they or the call end. Written again if the call runs again after a crash. */
export interface SubtasksStarted {
  type: "subtasks_started";
  /** The call that delegated them. */
  call: string;
  /** The sub-tasks, in the order of the call. */
  tasks: string[];
}

/** The sub-tasks of a call have ended. What they used counts against the limits of the task that delegated them; their own journals have usage and prices. */
export interface SubtasksEnded {
  type: "subtasks_ended";
  /** The call that handed them over. */
  call: string;
  /** Files that they changed, by their own records. */
  files: string[];
  /** Tokens that they used. */
  tokens: number;
  /** What these cost as far as prices are known, in millionths of the currency. */
  cost_micros: number | null;
  /** Whether the price of some was unknown. */
  is_unpriced: boolean;
  /** Milliseconds that their calls ran. */
  active_ms: number;
}

/** A person switched it to another backend or model. */
export interface ModelSwitched {
  type: "model_switched";
  /** The backend that plans from now on. */
  backend: string;
  /** Its model, where it is not the one that is configured. */
  model: string | null;
}

/** A second model looked at a call that a grant, a rule or a standing consent would let run. It can only have a person asked. */
export interface Reviewed {
  type: "reviewed";
  /** The call. */
  call: string;
  /** The backend that was asked. */
  backend: string;
  /** Its model, where it names one. */
  model: string | null;
  /** Whether a person is to be asked. */
  asks: boolean;
  /** Why, in its words or as what went wrong. */
  reason: Phrase;
  /** What it cost. */
  usage: Usage;
  /** The same in millionths of the currency, where the price is known. */
  cost_micros: number | null;
}

/** A call asked a model about texts. Written when the call ends, with all that it asked, before a crash too. */
export interface Inferred {
  type: "inferred";
  /** The call. */
  call: string;
  /** The backend that was asked. */
  backend: string;
  /** Its model, where it names one. */
  model: string | null;
  /** How many answers it gave. */
  answers: number;
  /** What they cost. */
  usage: Usage;
  /** The same in millionths of the currency, where the price is known. */
  cost_micros: number | null;
}

/** A call waits for a person. */
export interface PermissionRequested {
  type: "permission_requested";
  /** What is asked. */
  request: PermissionRequest;
}

/** Answered. */
export interface PermissionAnswered {
  type: "permission_answered";
  /** Which request. */
  request: string;
  /** Which call. */
  call: string;
  /** The digest the answer names. */
  digest: string;
  /** Yes or no. */
  choice: Choice;
  /** Who. */
  by: Answerer;
}

/** A call waited to ask the very same as an open request, and that one was refused: nobody is asked twice. */
export interface RefusalShared {
  type: "refusal_shared";
  /** The call that is refused. */
  call: string;
  /** What both calls bind to. */
  digest: string;
  /** The request that was answered. */
  request: string;
  /** The task that asked it; it may be another one. */
  asked_by: string;
  /** Why not, in the person's words; empty where they gave none. */
  reason: Phrase;
  /** Who said no. */
  by: Answerer;
}

/** A call is about to run. */
export interface ToolStarted {
  type: "tool_started";
  /** The call. */
  call: string;
  /** Digest of what runs; equal to the decided one. */
  digest: string;
  /** What running it twice would mean. */
  effect: Effect;
}

/** A file is about to be changed. */
export interface FileKept {
  type: "file_kept";
  /** The call that changes it. */
  call: string;
  /** What it is and what it will be. */
  change: FileChange;
}

/** Everything that a command could change is kept. What it did change is in the call's result: worked out from the manifest when it ends, or when the next process takes the task up. */
export interface TreeKept {
  type: "tree_kept";
  /** The call whose command it is. */
  call: string;
  /** The blob that lists what was there before. It is dropped once the changes are in the journal. */
  manifest: string;
  /** Files whose content is kept. */
  files: number;
  /** Their size together. */
  bytes: number;
}

/** What a command wrote, apart by stream, each with its middle left out where it is long. */
export interface CommandOutput {
  /** What it wrote to its standard output. */
  stdout: string;
  /** What it wrote to its standard error. */
  stderr: string;
  /** All of it, where it is longer than what the result shows. */
  kept: KeptOutput | null;
}

/** A further text. */
export interface TextPart {
  part: "text";
  /** The text; untrusted, as all of a result is. */
  text: string;
  /** Where it comes from, e.g. an address; empty where that is the call itself. */
  origin: string;
}

/** A file that the call left in the task's folder. */
export interface FilePart {
  part: "file";
  /** Absolute path. */
  path: string;
  /** Its media type as far as it is known, e.g. `application/pdf`; empty otherwise. */
  media_type: string;
  /** Size in bytes. */
  size_bytes: number;
}

/** Structured data. */
export interface DataPart {
  part: "data";
  /** The data. */
  value: unknown;
}

/** What a call did on the web, for people. */
export interface WebPart {
  part: "web";
  /** Hosts that the task connected to for the first time since its host was started; with a port where it is not the usual one. */
  hosts: string[];
  /** The address of the page that the task's browser showed when the call ended; absent where the call did not use it. */
  page: string | null;
  /** The page right before the call clicked on it. */
  aimed: AimedPicture | null;
}

/** A part of a result. `content` of the result says the same in words, for models and screens that take only text. */
export type ResultPart =
  /** A further text. */
  | TextPart
  /** A picture, kept as a blob. */
  | PicturePart
  /** A file that the call left in the task's folder. */
  | FilePart
  /** Structured data. */
  | DataPart
  /** What it did on the web. */
  | WebPart;

/** What came of a call. */
export interface ToolResult {
  /** How it ended. */
  status: CallStatus;
  /** What the planner reads, cut to the task's limit. */
  content: string;
  /** One line for people, e.g. `214 files, 3 folders`; empty means the first line of `content`. */
  summary: Phrase;
  /** Exit code of a command. */
  exit_code: number | null;
  /** Bytes of output that were counted but not kept. */
  omitted_bytes: number;
  /** Files this call changed, for undo. */
  changes: FileChange[];
  /** What the walls refused while a command ran, as they saw it. */
  refused: RefusedAttempt[];
  /** What a command wrote, apart by stream; `content` has it as one text. */
  output: CommandOutput | null;
  /** Operations of a plan that were left out, as what they are about had changed. */
  left_out: number;
  /** What it gave back beyond its text: pictures, files, data. */
  parts: ResultPart[];
}

/** A call ended. */
export interface ToolFinished {
  type: "tool_finished";
  /** The call. */
  call: string;
  /** What came of it. */
  result: ToolResult;
  /** Milliseconds it ran. */
  duration_ms: number;
}

/** The planner or a brake asks the user. */
export interface QuestionAsked {
  type: "question_asked";
  /** What is asked. */
  question: Question;
}

/** The user answered. */
export interface QuestionAnswered {
  type: "question_answered";
  /** Which question. */
  request: string;
  /** The answer. */
  text: string;
}

/** It waits. */
export interface Paused {
  type: "paused";
  /** Why. */
  reason: PauseReason;
  /** Why, in words. */
  message: Phrase;
  /** The limit that was reached, where one was. */
  budget: BudgetReached | null;
}

/** It continues. */
export interface Resumed {
  type: "resumed";
}

/** The user added to the goal. */
export interface Steered {
  type: "steered";
  /** What they said. */
  text: string;
}

/** The user asked it to stop. */
export interface StopRequested {
  type: "stop_requested";
}

/** Its process died. */
export interface Interrupted {
  type: "interrupted";
}

/** What a task did by Deputy's own record, so that no summary can claim what did not happen. */
export interface Report {
  /** Steps that it took. */
  steps: number;
  /** Files that it changed, the first of many. */
  files: string[];
  /** How many more. */
  more_files: number;
  /** Calls that changed something and did what they say, the newest of many, in their order. */
  calls: string[];
  /** How many came before these. */
  earlier_calls: number;
  /** What the user said while it ran, the newest of much. */
  answers: string[];
  /** Tokens that it used. */
  tokens: number;
  /** What they cost, in millionths of the currency; absent where no price is known. */
  cost_micros: number | null;
}

/** It ended. */
export interface Stopped {
  type: "stopped";
  /** How. */
  reason: StopReason;
  /** The final answer, or what went wrong and what to do next. */
  summary: Phrase;
  /** What it did, from the journal. */
  report: Report | null;
}

/** One path that was undone, or could not be. */
export interface UndoneFile {
  /** The call whose change it was. */
  call: string;
  /** The change, as it was made. */
  change: FileChange;
  /** Whether it is as before the call now. */
  restored: boolean;
  /** Why not, or what was done. */
  message: Phrase;
}

/** Changes were undone. */
export interface Undone {
  type: "undone";
  /** The result for each path. */
  files: UndoneFile[];
  /** Operations of plans that were undone. */
  operations: number;
  /** What undo could still undo afterwards: changes, and plans that were carried out. Absent in older journals. */
  left: number | null;
}

/** What an undo took back was made again. */
export interface Redone {
  type: "redone";
  /** The result for each path; `restored` if it is as the call left it again. */
  files: UndoneFile[];
  /** Operations of plans that were made again. */
  operations: number;
  /** What undo could undo afterwards: changes, and plans that were carried out. */
  left: number;
}

/** Something was put down for later tasks. */
export interface Remembered {
  type: "remembered";
  /** The words. */
  text: string;
  /** What it is about, where it is a preference. */
  about: string | null;
  /** The planner's call that put it down; absent where a person did. */
  call: string | null;
  /** Whether a person let it be given to tasks in every folder. */
  is_promoted: boolean;
}

/** A person put other words in a memory's place. */
export interface MemoryEdited {
  type: "memory_edited";
  /** Which. */
  memory: number;
  /** The words. */
  text: string;
}

/** A person had a memory forgotten, and whatever said the very same then. */
export interface MemoryForgotten {
  type: "memory_forgotten";
  /** Which. */
  memory: number;
}

/** A person brought a forgotten memory back, and whatever was forgotten with it. */
export interface MemoryRestored {
  type: "memory_restored";
  /** Which. */
  memory: number;
  /** The words that it had when it was forgotten, taken from the journal. */
  text: string;
}

/** A person let a memory leave the folder that it comes from. */
export interface MemoryPromoted {
  type: "memory_promoted";
  /** Which. */
  memory: number;
}

/** What memories are pruned by. */
export type PruneKind =
  /** What a person said to a task. */
  | "said"
  /** What the planner said. */
  | "plans"
  /** What calls gave back. */
  | "results"
  /** Facts that were put down. */
  | "facts"
  /** Preferences that were put down. */
  | "preferences";

/** A person had memories pruned: the oldest of these kinds, up to one of them. */
export interface MemoriesPruned {
  type: "memories_pruned";
  /** The kinds. */
  kinds: PruneKind[];
  /** Only what was said before this time. */
  before_ms: number | null;
  /** The newest memory that is pruned. */
  up_to: number;
  /** How many of them at most, the oldest first. */
  most: number;
}

/** Where a memory comes from. What is not a person's is data: it is given to tasks in its own folder alone, until a person promotes it. */
export type MemoryOrigin =
  /** A person said it. */
  | "person"
  /** The planner said it, of whatever it had read. */
  | "planner"
  /** A tool said it. */
  | "tool"
  /** A command printed it. */
  | "command"
  /** It was read from files or their names. */
  | "file"
  /** It was read from a page. */
  | "page";

/** What kind of memory it is. */
export type MemoryKind =
  /** It was said while a task worked. */
  | "said"
  /** It was put down to be remembered. */
  | "fact"
  /** It was put down to be remembered about one subject. A newer one about the same takes its place. */
  | "preference";

/** A memory as it is written to a file and taken from there. */
export interface PortableMemory {
  /** The words. */
  text: string;
  /** When they were said. */
  at_ms: number;
  /** Where they come from, which also says whose words they are. */
  origin: MemoryOrigin;
  /** What kind it is. */
  kind: MemoryKind;
  /** What a preference is about. */
  about: string | null;
  /** The folder that they were said in; empty for none. */
  workspace: string;
  /** Whether a person let it be given to tasks in every folder. */
  is_promoted: boolean;
}

/** A memory of another home was taken in. */
export interface MemoryImported {
  type: "memory_imported";
  /** The memory. */
  memory: PortableMemory;
}

/** What happened to a task. */
export type TaskEvent =
  /** It was submitted, and is queued. */
  | Created
  /** A person gave it another place among the queued ones. */
  | QueueMoved
  /** A person gave the conversation that it begins a title. */
  | Renamed
  /** A person put its conversation away, or brought it back. */
  | Archived
  /** An iteration began. */
  | IterationStarted
  /** The planner answered. */
  | Planned
  /** The planner did not answer; it is asked again, or the task parks. */
  | PlanFailed
  /** Older steps are replaced by a summary in what the planner reads. */
  | Compacted
  /** What the planner is given besides the conversation has changed. */
  | Briefed
  /** The planner is given notes of earlier tasks. */
  | Noted
  /** There are files of guidance that the user has not decided on. */
  | GuidanceFound
  /** The planner is given the user's guidance. */
  | Guided
  /** The planner put down its steps. */
  | TodoChanged
  /** A call has delegated work to sub-tasks, and the task waits for them. */
  | SubtasksStarted
  /** The sub-tasks of a call have ended. */
  | SubtasksEnded
  /** A person switched it to another model. */
  | ModelSwitched
  /** A person took its browser over in a window; its calls of the browser wait. */
  | BrowserTaken
  /** The person gave the browser back, or closed its window. */
  | BrowserReturned
  /** A second model looked at a call that was allowed beforehand. */
  | Reviewed
  /** A call asked a model about texts. */
  | Inferred
  /** Policy decided on a call. */
  | CallDecided
  /** A call waits for a person. */
  | PermissionRequested
  /** A person, a standing consent or the clock answered. */
  | PermissionAnswered
  /** A person's no to an equal request was a no to a call of this task too. */
  | RefusalShared
  /** A call is about to run. Durable before a mutating call starts. */
  | ToolStarted
  /** A file is about to be changed; what it was is kept. */
  | FileKept
  /** A command is about to run; everything that it could change is kept. */
  | TreeKept
  /** A call ended. */
  | ToolFinished
  /** A command keeps running in the background. */
  | BackgroundStarted
  /** A background command is gone. */
  | BackgroundEnded
  /** The planner or a brake asks the user. */
  | QuestionAsked
  /** The user answered. */
  | QuestionAnswered
  /** It waits. */
  | Paused
  /** It continues. */
  | Resumed
  /** The user added to the goal. */
  | Steered
  /** The user asked it to stop; the running call may finish. */
  | StopRequested
  /** Its process died; written by the next one. */
  | Interrupted
  /** It ended. */
  | Stopped
  /** Changes of its calls were undone. */
  | Undone
  /** What an undo took back was made again. */
  | Redone
  /** Something was put down for later tasks: by its planner, or by a person in the notebook. */
  | Remembered
  /** A person put other words in the place of something it said, for later tasks. */
  | MemoryEdited
  /** A person had something it said forgotten. */
  | MemoryForgotten
  /** A person brought that back. */
  | MemoryRestored
  /** A person let something it said be given to tasks in other folders. */
  | MemoryPromoted
  /** A person had many forgotten at once; in the notebook. */
  | MemoriesPruned
  /** A memory of another home was taken in; in the notebook. */
  | MemoryImported;

/** An event with its place in the journal. */
export interface EventRecord {
  /** Global, rising, without gaps: the place in the mirror's stream. */
  seq: number;
  /** The task it belongs to. */
  task: string;
  /** When it was written. */
  at_ms: number;
  /** What happened. */
  event: TaskEvent;
}

/** A part of an import. All parts are taken in together when the last has come, or none of them is. */
export interface ImportPart {
  /** The import; the client makes this up. */
  id: string;
  /** The number of the part, from 0. The first begins anew, whatever came before. */
  number: number;
  /** Whether it is the last. */
  is_last: boolean;
}

/** Take in a conversation that was exported: to be read and to be continued. Nothing of it runs, is granted or can be undone. */
export interface ImportConversationCommand {
  command: "import_conversation";
  /** The folder that its tasks are shown in, absolute. */
  workspace: string;
  /** Events of its tasks, each task from its beginning. */
  events: EventRecord[];
  /** Which part of the import these are. */
  part: ImportPart;
}

/** What is opened. */
export type OpenWhat =
  /** The file itself, if it is a document that starts nothing. */
  | "file"
  /** The folder, or the one that the file is in. */
  | "folder";

/** Open a file or a folder of a task on the desktop that the host runs on. */
export interface OpenCommand {
  command: "open";
  /** The task that works there. */
  task: string;
  /** The file or folder; in the task's folder, or in one that it was given. */
  path: string;
  /** What is opened. */
  what: OpenWhat;
}

/** Open a task's browser in a window on the host's desktop. The task's calls of it wait until it is returned. */
export interface TakeBrowserCommand {
  command: "take_browser";
  /** The task. */
  task: string;
}

/** Close the window, and let the task continue with the same profile. */
export interface ReturnBrowserCommand {
  command: "return_browser";
  /** The task. */
  task: string;
}

/** Add to a task's goal. */
export interface SteerCommand {
  command: "steer";
  /** Which. */
  task: string;
  /** What to say. */
  text: string;
}

/** Switch a task to another backend or model, from its next step. */
export interface SwitchModelCommand {
  command: "switch_model";
  /** Which. */
  task: string;
  /** The backend; the task's own when absent. */
  backend: string | null;
  /** The model; the one that is configured for the backend when absent. */
  model: string | null;
}

/** Take back what calls changed. */
export interface UndoCommand {
  command: "undo";
  /** Whose changes. */
  task: string;
  /** Only this call's; all when absent. */
  call: string | null;
  /** Only say what would be done. */
  dry_run: boolean;
  /** Do it only where all of it can be undone; otherwise say what would be done, so that a person can decide. */
  if_whole: boolean;
}

/** Make the changes again that the last undo of a task took back. */
export interface RedoCommand {
  command: "redo";
  /** Whose changes. */
  task: string;
}

/** Let a job that was stopped or cut off continue. */
export interface ResumeJobCommand {
  command: "resume_job";
  /** Which. */
  job: string;
  /** Leave out the operation at which it stopped, instead of trying it again. */
  skip: boolean;
}

/** What happens with files that were changed, moved or replaced since a job. */
export type OnConflict =
  /** They stay as they are, and the rest is undone. */
  | "skip"
  /** They come back as they are now, under another name where theirs is taken. */
  | "keep_both"
  /** Then nothing is undone. */
  | "abort";

/** Take a job back. */
export interface UndoJobCommand {
  command: "undo_job";
  /** Which. */
  job: string;
  /** Only say what would be done. */
  dry_run: boolean;
  /** What happens with files that conflict with it. */
  on_conflict: OnConflict;
}

/** Remember something for later tasks in every folder. */
export interface RememberCommand {
  command: "remember";
  /** The words. */
  text: string;
  /** What it is about, where it is a preference: it takes the place of an older one about the same. */
  about: string | null;
}

/** Put other words in a memory's place. */
export interface EditMemoryCommand {
  command: "edit_memory";
  /** Which. */
  memory: number;
  /** The words. */
  text: string;
}

/** Forget a memory, and whatever says the very same. */
export interface ForgetMemoryCommand {
  command: "forget_memory";
  /** Which. */
  memory: number;
}

/** Bring back a memory that was forgotten, and whatever was forgotten with it. */
export interface RestoreMemoryCommand {
  command: "restore_memory";
  /** Which. */
  memory: number;
}

/** Let a memory leave the folder that it comes from: tasks in other folders may be given it too. */
export interface PromoteMemoryCommand {
  command: "promote_memory";
  /** Which. */
  memory: number;
}

/** Embed every memory anew, and try again what could not be embedded. The vectors there are serve until then. */
export interface RebuildMemoryCommand {
  command: "rebuild_memory";
}

/** Embed some of what waits now, instead of in a quiet moment. The outcome says how many memories and passages still wait. */
export interface EmbedMemoriesCommand {
  command: "embed_memories";
}

/** Which memories are pruned: those of these kinds that are old enough, but for the newest. */
export interface PruneRule {
  /** The kinds; none is none. */
  kinds: PruneKind[];
  /** Only what was said before this time. */
  before_ms: number | null;
  /** The newest of them that stay. */
  keep: number;
}

/** Forget all memories that a rule names. Journals keep what was said, so that each can be restored. */
export interface PruneMemoriesCommand {
  command: "prune_memories";
  /** The rule. */
  rule: PruneRule;
}

/** Take in memories of another home, all or none. What is there already is passed over. */
export interface ImportMemoriesCommand {
  command: "import_memories";
  /** The memories; 1,000 are the most. */
  memories: PortableMemory[];
  /** Which part of a larger import this is; absent where it is all of it. */
  part: ImportPart | null;
}

/** Make the documents of a folder recallable, or look through one that is again. */
export interface IndexFolderCommand {
  command: "index_folder";
  /** The folder. */
  folder: string;
  /** Whether tasks in every folder may be given its passages; otherwise those alone that may read its files without asking. */
  is_everywhere: boolean;
}

/** Forget the passages of a folder's documents. The files stay as they are. */
export interface DropFolderCommand {
  command: "drop_folder";
  /** The folder. */
  folder: string;
}

/** Stop a background command. */
export interface StopBackgroundCommand {
  command: "stop_background";
  /** Its task. */
  task: string;
  /** Which. */
  background: string;
}

/** End a grant. */
export interface RevokeGrantCommand {
  command: "revoke_grant";
  /** Which. */
  grant: string;
}

/** What a rule made on a screen says: what becomes of one command. Allowing covers exactly these words; asking and denying cover the command with further words too. */
export interface CommandRule {
  /** What becomes of it. */
  effect: Decision;
  /** One simple command of literal words. */
  command: string;
  /** The folder below which workspaces are covered, absolute or from `~/`; everywhere when absent. */
  within: string | null;
}

/** A rule as a screen has it. Where the file has been changed since, it is another one. */
export interface RuleRef {
  /** The line of the file, from 1. */
  line: number;
  /** What it covers, in words. */
  text: Phrase;
}

/** Write a rule into the file. */
export interface KeepRuleCommand {
  command: "keep_rule";
  /** The rule. */
  rule: CommandRule;
  /** The one that it takes the place of; a new one when absent. */
  instead: RuleRef | null;
}

/** Take a rule out of the file. */
export interface DropRuleCommand {
  command: "drop_rule";
  /** Which. */
  rule: RuleRef;
}

/** Put a backend's key into the desktop's keyring, or take it out. */
export interface SetKeyCommand {
  command: "set_key";
  /** The backend. */
  backend: string;
  /** The key; absent takes it out. */
  key: string | null;
}

/** Put a search provider's key into the desktop's keyring, or take it out. */
export interface SetSearchKeyCommand {
  command: "set_search_key";
  /** The provider. */
  provider: string;
  /** The key; absent takes it out. */
  key: string | null;
}

/** What a draft goes by. */
export type OrganizeBy =
  /** Everything there is. */
  | "everything"
  /** The kinds of files. */
  | "kind"
  /** Years and months. */
  | "date"
  /** Projects alone. */
  | "project"
  /** What documents say. */
  | "content"
  /** Copies alone. */
  | "duplicates"
  /** Names alone. */
  | "names";

/** Begin to look through folders and to draft a plan for them. It continues by itself; ask for it with `scan`. */
export interface StartScanCommand {
  command: "start_scan";
  /** The folders, absolute or below the home with `~`. */
  folders: string[];
  /** What the draft goes by. */
  by: OrganizeBy;
  /** The convention that names are to follow, as an example of itself; names stay when absent. */
  convention: string | null;
}

/** End a scan. */
export interface StopScanCommand {
  command: "stop_scan";
  /** Which. */
  scan: string;
}

/** Keep a draft with a person's changes as a draft of its own, which a task can carry out. */
export interface KeepDraftCommand {
  command: "keep_draft";
  /** The draft, as a scan gave it. */
  draft: string;
  /** Operations that are dropped. */
  without: string[];
  /** Operations in the place of those that have their ids. */
  edited: OrganizeOperation[];
}

/** A link that opens the desktop's own page; for clients of the Unix socket and of that page only. */
export interface LinkCommand {
  command: "link";
}

/** Give a device another name. */
export interface RenameDeviceCommand {
  command: "rename_device";
  /** Which. */
  device: string;
  /** The name. */
  name: string;
}

/** Say where a push server takes notices for a device, which a UnifiedPush app on it was given. They are sealed to its key. */
export interface ReachDeviceCommand {
  command: "reach_device";
  /** Which. */
  device: string;
  /** An https address; without one, notices take the relay of the host's settings again. */
  endpoint: string | null;
}

/** End a device: its connections are cut at once. */
export interface RevokeDeviceCommand {
  command: "revoke_device";
  /** Which. */
  device: string;
}

/** What a device may do. */
export type DeviceScope =
  /** See everything. */
  | "monitor"
  /** Answer requests and questions. */
  | "approve"
  /** Start, steer, pause and stop tasks, and undo. */
  | "command";

/** Begin to pair a device; what was begun before is over. */
export interface StartPairingCommand {
  command: "start_pairing";
  /** What it should be allowed. */
  scopes: DeviceScope[];
}

/** The person's word on the number that both sides show. */
export interface ConfirmPairingCommand {
  command: "confirm_pairing";
  /** The six digits that the device shows. */
  number: string;
  /** Whether they are those that the desktop shows. */
  accept: boolean;
}

/** What to do. */
export type Command =
  /** Start a task. */
  | StartCommand
  /** End a task; the running call may finish. */
  | StopCommand
  /** Pause a task. */
  | PauseCommand
  /** Resume a paused or interrupted task. */
  | ResumeCommand
  /** Move a queued task. */
  | MoveInQueueCommand
  /** Rename a conversation. */
  | RenameCommand
  /** Archive a conversation, or restore it. */
  | ArchiveCommand
  /** Start a new conversation from everything in another one up to a step. */
  | ForkCommand
  /** Take in a conversation that was exported. It keeps whose words they are, so only the person at the machine may. */
  | ImportConversationCommand
  /** Open a file or a folder of a task on the desktop. What opening could run is refused. */
  | OpenCommand
  /** Open a task's browser in a window for the person at the machine, for instance to sign in; the task's calls of it wait. */
  | TakeBrowserCommand
  /** Close that window and let the task continue with the same profile. */
  | ReturnBrowserCommand
  /** Add an instruction to a task. */
  | SteerCommand
  /** Switch a task to another backend or model, from its next step. */
  | SwitchModelCommand
  /** Answer a question. */
  | AnswerQuestionCommand
  /** Answer a permission request. */
  | AnswerPermissionCommand
  /** Undo the changes of calls. */
  | UndoCommand
  /** Redo the changes that the last undo of a task reverted. */
  | RedoCommand
  /** Resume a job that was stopped or interrupted. */
  | ResumeJobCommand
  /** Undo a job. */
  | UndoJobCommand
  /** Remember something for later tasks in every folder. It steers them, so it needs what starting a task needs. */
  | RememberCommand
  /** Replace the text of a memory. What a memory says steers later tasks, so changing one needs what starting a task needs. */
  | EditMemoryCommand
  /** Forget a memory, and every other one with the same text. */
  | ForgetMemoryCommand
  /** Restore a memory that was forgotten, and all that were forgotten with it. */
  | RestoreMemoryCommand
  /** Make a memory available to tasks in every folder. */
  | PromoteMemoryCommand
  /** Embed all memories again; the old vectors are used until then. */
  | RebuildMemoryCommand
  /** Embed some of what waits now; says how many still wait. */
  | EmbedMemoriesCommand
  /** Forget all memories that match a rule; journals keep their text. */
  | PruneMemoriesCommand
  /** Take in memories of another home. They keep whose words they are, so only the person at the machine may. */
  | ImportMemoriesCommand
  /** Make the documents of a folder recallable, or look through one again. It reads files that no task was allowed to read. */
  | IndexFolderCommand
  /** Forget the passages of a folder's documents. */
  | DropFolderCommand
  /** Stop a background command. */
  | StopBackgroundCommand
  /** End a grant. */
  | RevokeGrantCommand
  /** Write a rule about one command into `rules.toml`. One that allows is for commands that an answer could remember. */
  | KeepRuleCommand
  /** Remove a rule from `rules.toml`. */
  | DropRuleCommand
  /** Change settings, all or none: written into `config.toml` with its comments, and taken up at once. */
  | ChangeSettingsCommand
  /** Put a backend's key into the desktop's keyring, or take it out, and hand it to the planner. */
  | SetKeyCommand
  /** Put a search provider's key into the desktop's keyring, or take it out. */
  | SetSearchKeyCommand
  /** Start to scan folders and to draft a plan for them. It answers at once; the query `scan` returns the progress. */
  | StartScanCommand
  /** End a scan. */
  | StopScanCommand
  /** Keep a draft with operations dropped or edited as a draft of its own, which the command `start` has carried out. */
  | KeepDraftCommand
  /** Make a link that opens the desktop's page, once. */
  | LinkCommand
  /** Rename a device. */
  | RenameDeviceCommand
  /** Say where a push server takes notices for a device. A device may say it of itself. */
  | ReachDeviceCommand
  /** Revoke a device; its connections are closed at once. */
  | RevokeDeviceCommand
  /** Start to pair a device, and end an earlier pairing that is still open. The query `pairing` returns the link to scan. */
  | StartPairingCommand
  /** The person's answer whether both sides show the same number. */
  | ConfirmPairingCommand;

/** A command with its id. */
export interface CommandEnvelope {
  /** Made by the client; sent again with the same id it is not done twice. */
  id: string;
  /** What to do. */
  command: Command;
}

/** Do something. */
export interface ClientCommand {
  type: "command";
  /** The command. */
  envelope: CommandEnvelope;
}

/** A session that was opened over HTTP. */
export interface SessionProof {
  proof: "session";
  /** The session's secret. */
  session: string;
}

/** A device that has signed the challenge of this connection. */
export interface DeviceProof {
  proof: "device";
  /** Which device. */
  device: string;
  /** Its signature over `deputy-connect-1`, the server's fingerprint, the device and the challenge, a line each. */
  signature: string;
}

/** Why a client may connect. The Unix socket needs none: only its owner can open it. */
export type Proof =
  /** A session that was opened over HTTP. */
  | SessionProof
  /** A device that has signed the challenge. */
  | DeviceProof;

/** The first message of a client. */
export interface Hello {
  type: "hello";
  /** `PROTOCOL_VERSION`. */
  protocol: number;
  /** Last event the client has; it gets what came after. Absent: a snapshot. */
  resume_from: number | null;
  /** Whether live events and progress are wanted after that. */
  follow: boolean;
  /** Whether long texts of events may come shortened, as they always do but over the Unix socket. */
  brief: boolean;
  /** Why the client may connect; the Unix socket needs none. */
  proof: Proof | null;
}

/** The state of the agent. */
export interface StateQuery {
  query: "state";
}

/** Tasks, newest first. */
export interface TasksQuery {
  query: "tasks";
  /** How many at most. */
  limit: number;
  /** Words to look for in what was said in all tasks; the last may be the beginning of one. */
  said: string | null;
}

/** One task. */
export interface TaskQuery {
  query: "task";
  /** Which. */
  task: string;
}

/** The events of one task, oldest first. */
export interface EventsQuery {
  query: "events";
  /** The task. */
  task: string;
  /** Only events after this one. */
  after: number;
  /** How many at most. */
  limit: number;
  /** The newest ones of them, and not the oldest: what a screen shows first of a long task. */
  newest: boolean;
  /** Long texts cut, as live events have them. */
  brief: boolean;
}

/** One event in full: what an event that came shortened left out. */
export interface EventQuery {
  query: "event";
  /** Its place in the stream. */
  seq: number;
}

/** Grants that hold. */
export interface GrantsQuery {
  query: "grants";
}

/** What a grant would have let through in the past: asked before a broader answer than `once` is given. */
export interface PreviewGrantQuery {
  query: "preview_grant";
  /** The open request. */
  request: string;
  /** The offer, by its lifetime. */
  lifetime: Lifetime;
  /** Whether the wider of two offers for that long is meant. */
  wider: boolean;
}

/** The settings; for local clients only, as all that follows but the choices. */
export interface SettingsQuery {
  query: "settings";
}

/** Look for model servers on this machine: the host asks the usual loopback ports. */
export interface FindServersQuery {
  query: "find_servers";
}

/** Look at everything that a host needs. */
export interface DoctorQuery {
  query: "doctor";
}

/** What would be decided on a shell text, and why. Nothing is run. */
export interface ExplainQuery {
  query: "explain";
  /** The text. */
  command: string;
  /** The folder that a task would work in. */
  workspace: string;
}

/** The user's own rules. */
export interface RulesQuery {
  query: "rules";
}

/** What the models cost since a time. */
export interface UsageQuery {
  query: "usage";
  /** Since when; the quarter of an hour that it is in counts whole. */
  since_ms: number;
}

/** What was sent to the model in a step and what came back, secrets taken out. */
export interface PromptQuery {
  query: "prompt";
  /** The task. */
  task: string;
  /** The step, from 1. */
  step: number;
  /** From which byte on. */
  offset: number;
}

/** Folders that a path being typed could continue with. */
export interface FoldersQuery {
  query: "folders";
  /** As typed: absolute, or below the home with `~`. */
  path: string;
}

/** The state of a scan. */
export interface ScanQuery {
  query: "scan";
  /** Which. */
  scan: string;
}

/** A draft with a person's changes, tried on a model of the tree. Nothing is written. */
export interface DraftQuery {
  query: "draft";
  /** The draft, as a scan gave it. */
  draft: string;
  /** Operations that are dropped. */
  without: string[];
  /** Operations in the place of those that have their ids. */
  edited: OrganizeOperation[];
}

/** Jobs, newest first. */
export interface JobsQuery {
  query: "jobs";
  /** Only the one that this call of a task started. */
  call: string | null;
}

/** Memories, newest first. */
export interface MemoriesQuery {
  query: "memories";
  /** Only those with all of these words; the last may be the beginning of one. Absent: all. */
  search: string | null;
  /** Only those of this task. */
  task: string | null;
  /** Only those of tasks in this folder. */
  workspace: string | null;
  /** Only facts and preferences that were put down to be remembered. */
  only_kept: boolean;
  /** The best first, by words and by meaning, passages of documents among them: one page, with how well each fits. Otherwise all that hold the words, newest first. */
  best: boolean;
  /** Only what was said before this event. */
  before: number | null;
  /** How many at most; 100 is the most. */
  limit: number;
}

/** How much of the memories can be found by meaning. */
export interface MemoryStatsQuery {
  query: "memory_stats";
}

/** What pruning by a rule would forget. Nothing is changed. */
export interface PreviewPruneQuery {
  query: "preview_prune";
  /** The rule. */
  rule: PruneRule;
}

/** The files that profiles keep. */
export interface ProfileFilesQuery {
  query: "profile_files";
}

/** The folders whose documents can be recalled. */
export interface IndexedFoldersQuery {
  query: "indexed_folders";
}

/** A piece of the whole output of a command that ended. */
export interface OutputQuery {
  query: "output";
  /** The task. */
  task: string;
  /** The call that ran the command, or that started it in the background. */
  call: string;
  /** From which byte on. */
  offset: number;
}

/** A piece of a picture that a call of the task gave back. */
export interface PictureQuery {
  query: "picture";
  /** The task. */
  task: string;
  /** The call. */
  call: string;
  /** The picture, by its digest. */
  digest: string;
  /** From which byte on. */
  offset: number;
}

/** The live console of a task. */
export interface ConsoleQuery {
  query: "console";
  /** The task. */
  task: string;
}

/** All devices; for local clients only, as all that concerns devices. */
export interface DevicesQuery {
  query: "devices";
}

/** The pairing that was begun last. */
export interface PairingQuery {
  query: "pairing";
}

/** What may be asked. */
export type Query =
  /** The state that every screen shows: running tasks, open requests and questions. */
  | StateQuery
  /** Tasks, newest first. */
  | TasksQuery
  /** One task. */
  | TaskQuery
  /** The events of one task, a page at a time. */
  | EventsQuery
  /** One event in full. */
  | EventQuery
  /** Grants that are in effect. */
  | GrantsQuery
  /** The calls that a grant would have allowed in the past. */
  | PreviewGrantQuery
  /** The choices for a new task: profiles, backends and what is missing for each, limits and folders. */
  | ChoicesQuery
  /** The settings as the host has them, and where each backend's key is looked for; never a key. */
  | SettingsQuery
  /** Asks a backend's provider for its models. */
  | CheckBackendQuery
  /** Searches the web once with the configured provider. */
  | CheckSearchQuery
  /** Model servers on this machine: the host asks the usual loopback ports. */
  | FindServersQuery
  /** The checks of `deputy doctor`, each with `ok` and a message. */
  | DoctorQuery
  /** The decision on a shell text in a folder, by the current rules and grants; nothing runs. */
  | ExplainQuery
  /** The rules of `rules.toml` as text, or the mistake in the file. */
  | RulesQuery
  /** Tokens by quarter of an hour, task and model, and the configured prices. */
  | UsageQuery
  /** What was sent to the model in a step and what came back, a piece at a time. */
  | PromptQuery
  /** Folders that a path being typed could continue with. A device that only answers does not look around, so it needs more. */
  | FoldersQuery
  /** The progress of a scan; once it is done, the draft and suggested naming conventions. */
  | ScanQuery
  /** Checks a draft with operations dropped or edited on a model of the tree: its problems, and the trees before and after. */
  | DraftQuery
  /** Jobs, newest first. */
  | JobsQuery
  /** Memories, newest first, a page at a time. They say no more than the events do. */
  | MemoriesQuery
  /** How many memories can be found by meaning, and how many are pending. */
  | MemoryStatsQuery
  /** The memories that pruning by a rule would forget. */
  | PreviewPruneQuery
  /** The files of profiles that people can read and edit. */
  | ProfileFilesQuery
  /** The folders whose documents can be recalled. */
  | IndexedFoldersQuery
  /** A piece of the whole output of a command. */
  | OutputQuery
  /** A piece of a picture that a call returned. */
  | PictureQuery
  /** The browser of a task: its address, and who uses it. */
  | BrowserQuery
  /** The output of a task's running calls so far, and the files that they touch. */
  | ConsoleQuery
  /** All devices. */
  | DevicesQuery
  /** The latest pairing: its link and its state. */
  | PairingQuery;

/** Ask something. */
export interface ClientQuery {
  type: "query";
  /** Made by the client; is in the answer. */
  id: string;
  /** What is asked. */
  query: Query;
}

/** What a client sends. */
export type ClientMessage =
  /** Must come first. */
  | Hello
  /** Do something. */
  | ClientCommand
  /** Ask something. */
  | ClientQuery;

/** It was done. */
export interface DoneOutcome {
  outcome: "done";
}

/** A task was submitted. */
export interface StartedOutcome {
  outcome: "started";
  /** The task. */
  task: TaskSummary;
}

/** An operation that was left out, although it had been planned. */
export interface SkippedOperation {
  /** Which. */
  operation: string;
  /** What it is about. */
  path: string;
  /** Why. */
  reason: Phrase;
}

/** What prevents undoing an operation. */
export interface JobConflict {
  /** Which. */
  operation: string;
  /** The file that it is about. */
  path: string;
  /** What is wrong. */
  reason: Phrase;
}

/** What came of a job. */
export interface JobReport {
  /** The job that did the steps; of a dry run, the one that would be undone. */
  job: string;
  /** The job that it undoes, where it does. */
  undoes: string | null;
  /** Steps that are done. */
  done: number;
  /** Steps that there are. */
  steps: number;
  /** Operations that were left out; the first 500. */
  skipped: SkippedOperation[];
  /** How many more were left out. */
  more_skipped: number;
  /** Why it stopped before its end. */
  stopped: Phrase | null;
  /** What stood against taking it back; the first 500. */
  conflicts: JobConflict[];
  /** How much more stood against it. */
  more_conflicts: number;
  /** Whether nothing is left to do: every operation was done, or all that was done counts as undone. */
  is_whole: boolean;
}

/** Files were undone. */
export interface UndoneOutcome {
  outcome: "undone";
  /** The result for each path. */
  files: UndoneFile[];
  /** Jobs of those calls, newest first. */
  jobs: JobReport[];
  /** Whether it was done, and not only said. */
  applied: boolean;
}

/** A job continued, or was undone. */
export interface JobOutcome {
  outcome: "job";
  /** What came of it. */
  report: JobReport;
}

/** Memories were forgotten, or came back. */
export interface MemoriesOutcome {
  outcome: "memories";
  /** How many: the one that was named, and those that say the very same. 0 where that had been done before. */
  memories: number;
}

/** Something is remembered. */
export interface RememberedOutcome {
  outcome: "remembered";
  /** The number of the memory. */
  memory: number;
}

/** Memories or a conversation were taken in. */
export interface ImportedOutcome {
  outcome: "imported";
  /** How many memories, or tasks of a conversation. */
  imported: number;
  /** How many were there already. */
  present: number;
  /** The newest task of a conversation. */
  task: string | null;
}

/** A folder whose documents can be recalled. */
export interface IndexedFolder {
  /** Its path, without links. */
  folder: string;
  /** Whether tasks in every folder may be given its passages. */
  is_everywhere: boolean;
  /** When it was last looked through; absent where that was never finished. */
  looked_at_ms: number | null;
  /** Documents with passages. */
  documents: number;
  /** Passages. */
  passages: number;
  /** Passages that can be found by their meaning. */
  embedded: number;
  /** Documents that gave no text. */
  unreadable: number;
}

/** A folder was looked through. */
export interface IndexedOutcome {
  outcome: "indexed";
  /** The folder as it is now. */
  folder: IndexedFolder;
  /** Documents that were read because they are new or have changed. */
  read: number;
  /** Documents that were deleted. */
  gone: number;
  /** Whether there is more than is looked at. */
  is_partial: boolean;
}

/** A scan was begun. */
export interface ScanStartedOutcome {
  outcome: "scan_started";
  /** Its id. */
  scan: string;
}

/** A draft was kept. */
export interface DraftKeptOutcome {
  outcome: "draft_kept";
  /** What a task can carry out. */
  draft: string;
}

/** A link that opens the desktop's own page, once. */
export interface LinkOutcome {
  outcome: "link";
  /** The address; its secret is behind the `#`, where no server and no log sees it. */
  url: string;
  /** Until when it can be used. */
  expires_at_ms: number;
}

/** What came of a command. */
export type CommandOutcome =
  /** It was done, or had been done before. */
  | DoneOutcome
  /** A task was submitted. */
  | StartedOutcome
  /** Files were undone. */
  | UndoneOutcome
  /** A job continued, or was undone. */
  | JobOutcome
  /** Memories were forgotten, or came back. */
  | MemoriesOutcome
  /** Something is remembered. */
  | RememberedOutcome
  /** Memories were taken in. */
  | ImportedOutcome
  /** A folder was looked through. */
  | IndexedOutcome
  /** A scan was begun. */
  | ScanStartedOutcome
  /** A draft was kept. */
  | DraftKeptOutcome
  /** A link was made. */
  | LinkOutcome;

/** The answer to a command. */
export interface CommandReply {
  type: "command_reply";
  /** The command's id. */
  id: string;
  /** What came of it. */
  outcome: CommandOutcome;
}

/** Result of `inference.complete`. */
export interface CompleteReply {
  /** The answer. */
  text: string;
  /** What it cost. */
  usage: Usage;
}

/** Parameters of `inference.complete`. */
export interface CompleteRequest {
  /** Who answers. */
  backend: BackendRef;
  /** The instructions. */
  system: string;
  /** The text to answer. */
  prompt: string;
}

/** A running call. */
export interface ConsoleCall {
  /** The call. */
  call: string;
  /** What it does, for people. */
  summary: Phrase;
  /** When it started. */
  started_at_ms: number;
  /** The end of what it has written so far. */
  output: string;
}

/** A background command that is running, for screens that join in between. */
export interface ConsoleBackground {
  /** Its name within the task. */
  background: string;
  /** The call that started it. */
  call: string;
  /** The command. */
  command: string;
  /** When it started. */
  started_at_ms: number;
  /** The end of what it has written so far. */
  output: string;
}

/** A file that a task touched. */
export interface TouchedFile {
  /** Its path. */
  path: string;
  /** The call that touched it. */
  call: string;
  /** Whether that call is still running. */
  now: boolean;
}

/** The live console of a task: what its planner and its running calls have said so far. What follows comes as progress. */
export interface Console {
  answer: "console";
  /** What the planner has written of the plan it is making; empty when it makes none. */
  planning: string;
  /** Calls that are running, oldest first. */
  calls: ConsoleCall[];
  /** Commands that run in the background, oldest first. */
  backgrounds: ConsoleBackground[];
  /** Files that the task touched, the latest first, at most 50. */
  files: TouchedFile[];
}

/** A convention that names could follow. */
export interface ConventionCard {
  /** What to name it by: an example of itself. */
  pattern: string;
  /** For people. */
  description: Phrase;
  /** One of the names that are there. */
  before: string;
  /** What it would become. */
  after: string;
  /** How much the names that are there speak for it. */
  confidence_percent: number;
  /** Files whose names follow it already. */
  matches: number;
  /** Files that were looked at. */
  files: number;
}

/** How far a conversation goes, by what was sent of it. */
export interface ConversationMark {
  /** Bytes of the messages as JSON, with the commas between them. */
  bytes: number;
  /** SHA-256, in hexadecimal, of the JSON of `system`, `tools` and `earlier`, a line feed behind each, and the messages. */
  sha256: string;
}

/** What all tasks used since midnight, and the limits of a day. */
export interface DaySpent {
  /** Tokens read and written. */
  tokens: number;
  /** What they cost as far as prices are known, in millionths of the currency. */
  cost_micros: number;
  /** The limit of tokens; 0 for none. */
  max_tokens: number;
  /** The limit of cost, in hundredths of the currency; 0 for none. */
  max_cost_cents: number;
}

/** A paired phone or browser, known by its public key. */
export interface Device {
  /** Its id. */
  id: string;
  /** What its owner calls it. */
  name: string;
  /** What it may do. */
  scopes: DeviceScope[];
  /** When it was paired. */
  paired_at_ms: number;
  /** When it last proved itself. */
  last_seen_ms: number | null;
  /** When it was revoked; it then may do nothing. */
  revoked_at_ms: number | null;
}

/** A session by a device. */
export interface DeviceSession {
  by: "device";
  /** Which device. */
  device: string;
  /** The challenge that the server gave out for this. */
  challenge: string;
  /** As in a device's proof. */
  signature: string;
}

/** All devices. */
export interface DevicesAnswer {
  answer: "devices";
  /** In the order of pairing. */
  devices: Device[];
}

/** One thing that was looked at. */
export interface Finding {
  /** What. */
  name: string;
  /** Whether it is well. */
  ok: boolean;
  /** What was found and, where it is not well, what to do. */
  message: Phrase;
}

/** What was looked at. */
export interface DoctorAnswer {
  answer: "doctor";
  /** In the order of looking. */
  findings: Finding[];
}

/** Something about an operation. */
export interface OperationNote {
  /** Its id. */
  operation: string;
  /** What about it. */
  text: Phrase;
}

/** A draft, tried. */
export interface DraftAnswer {
  answer: "draft";
  /** The plan, each operation with the risk of its kind. */
  plan: OrganizePlan;
  /** Where what will be done differs from what was written. */
  notes: OperationNote[];
  /** What cannot be done; empty for a plan that can be carried out. */
  problems: OperationNote[];
  /** The trees before and after; absent where the folders hold too much to be drawn, or the plan cannot be done. */
  trees: DraftTrees | null;
}

/** A task of the same conversation, as the planner of a later one sees it. */
export interface EarlierTask {
  /** Its id. */
  id: string;
  /** What the user wanted, in their words. */
  goal: string;
  /** How it ended; none where it has not. */
  reason: StopReason | null;
  /** What it ended with, for the user; none where it has not. */
  summary: string | null;
  /** Files that it changed, as Deputy's own record has them; the first of many. */
  changed_files: string[];
  /** When it was submitted. */
  created_at_ms: number;
  /** Jobs of `organize` that it had carried out, in their order. */
  jobs: string[];
}

/** Result of `inference.embed`. */
export interface EmbedReply {
  /** Name of the model; with the dimension the key of the index. */
  model: string;
  /** Numbers of each vector. */
  dimension: number;
  /** The vectors in the order of the texts, each number a little-endian float of 32 bits, in base64. As text of decimal numbers they would be five times as long. */
  vectors: string;
}

/** Parameters of `inference.embed`. */
export interface EmbedRequest {
  /** Who embeds. */
  backend: BackendRef;
  /** The texts. */
  texts: string[];
}

/** A message failed. */
export interface ErrorMessage {
  type: "error";
  /** The command or query; absent when the connection itself is refused. */
  id: string | null;
  /** Why. */
  error: ErrorBody;
}

/** What of a task's summary changes with its events. */
export interface TaskUpdate {
  /** Its state. */
  state: TaskState;
  /** Tokens used so far. */
  tokens: number;
  /** Its backend. */
  backend: string;
  /** The model that plans it, where it is not the one that is configured. */
  model: string | null;
  /** What its tokens cost as far as prices are known, in millionths of the currency. */
  cost_micros: number | null;
  /** How far its to-do list is. */
  todo: TodoProgress | null;
  /** When it last changed. */
  updated_at_ms: number;
  /** While it is queued: its place among the queued ones. */
  queue_rank: string | null;
  /** The title that a person gave the conversation that it begins. */
  title: string | null;
  /** Whether its conversation was put away when this was the newest task of it. */
  archived: boolean;
}

/** Something happened. */
export interface EventMessage {
  type: "event";
  /** The event. */
  record: EventRecord;
  /** Its task after it; of a past event that a client missed, as the task is by now. The mirror always says it. */
  update: TaskUpdate | null;
  /** Whether long texts in it were cut; the query `event` gets it in full. */
  shortened: boolean;
}

/** Events. */
export interface EventsAnswer {
  answer: "events";
  /** Oldest first. */
  events: EventRecord[];
  /** Places of those whose long texts were cut; the query `event` gets them in full. */
  shortened: number[];
}

/** What would be decided. */
export interface Explanation {
  answer: "explanation";
  /** The decision, its reasons and its parts. Grants that hold in the folder are counted in. */
  verdict: Verdict;
}

/** A plan of file operations that a call executes. */
export interface PlanFacts {
  /** What an answer binds to; a draft of the plan has the same digest as its id. */
  digest: string;
  /** What a person sees. */
  shown: RequestedPlan;
}

/** Everything a call would touch; made by the tool without touching any of it. */
export interface Facts {
  /** What running it twice would mean. */
  effect: Effect;
  /** What it would touch. */
  accesses: Access[];
  /** One sentence for people, e.g. `Write REPORT.md (1.2 KB, new file)`. */
  summary: Phrase;
  /** Unified diff of the change, where there is one. */
  diff: string | null;
  /** The plan of file operations that it executes, where there is one. */
  plan: PlanFacts | null;
  /** The least risk that the call has by its nature, whatever is thought of the places it touches. */
  risk: Risk;
}

/** Folders that a path could continue with. */
export interface FoldersAnswer {
  answer: "folders";
  /** The folder that the path names, where it names one that can be organized. */
  folder: string | null;
  /** Absolute paths, by name; at most 50. */
  folders: string[];
  /** The user's own folders for downloads, the desktop, documents and pictures that exist, in this order. */
  usual: string[];
  /** The user's home. */
  home: string;
}

/** A remembered answer: what, where, until when. Listed and revocable. */
export interface Grant {
  /** Its id. */
  id: string;
  /** `allow` or `deny`; a grant never asks. */
  decision: Decision;
  /** What it covers. */
  rule: GrantRule;
  /** How long it holds. */
  lifetime: Lifetime;
  /** The folder it holds in: the real path of the workspace it was given for. */
  workspace: string;
  /** The request it was given for, if any. */
  request: string | null;
  /** When it was given. */
  created_at_ms: number;
  /** From when it no longer holds. */
  expires_at_ms: number | null;
  /** When it was revoked. */
  revoked_at_ms: number | null;
}

/** A call of the past that a grant would have let through. */
export interface PreviewedCall {
  /** Its task. */
  task: string;
  /** What it was, for people. */
  summary: Phrase;
  /** When it was asked. */
  at_ms: number;
  /** Whether it was refused then. */
  refused: boolean;
}

/** What a grant would have let through, had it held before. */
export interface GrantPreview {
  answer: "grant_preview";
  /** The offer in words. */
  label: Phrase;
  /** How far back was looked. */
  days: number;
  /** Calls that were asked about in that time and would not have been; the open request itself is not counted. */
  calls: number;
  /** How many of them were refused. */
  refused: number;
  /** Whether there were more requests than were looked at, so that there may be more. */
  and_more: boolean;
  /** The newest of them. */
  samples: PreviewedCall[];
}

/** Grants. */
export interface GrantsAnswer {
  answer: "grants";
  /** Newest first. */
  grants: Grant[];
}

/** That a server is there. */
export interface Health {
  /** `ok`. */
  status: string;
  /** The host's version of the protocol. */
  protocol: number;
  /** The host's version. */
  version: string;
}

/** Folders, by their paths. */
export interface IndexedFoldersAnswer {
  answer: "indexed_folders";
  /** The folders. */
  folders: IndexedFolder[];
}

/** Parameters of `initialize`. */
export interface InitializeParams {
  /** `PROTOCOL_VERSION`; a sidecar with another one answers with an error. */
  protocol: number;
  /** Folder with the user's own backend files. */
  backends_dir: string;
  /** Backend name to API key. Never logged, never in the environment. */
  keys: Record<string, string>;
}

/** Result of `initialize`. */
export interface InitializeResult {
  /** The sidecar's version of the protocol. */
  protocol: number;
  /** Version of the package. */
  version: string;
  /** Names of the backends that can be asked for. */
  backends: string[];
}

/** The state of a job. */
export type JobStanding =
  /** A process works on it. */
  | "running"
  /** It is not done, and nobody works on it. */
  | "interrupted"
  /** It is done. */
  | "done"
  /** It was undone. */
  | "undone"
  /** Its journal is damaged. */
  | "damaged";

/** Something about a path. */
export interface PathNote {
  /** The path. */
  path: string;
  /** What about it. */
  reason: Phrase;
}

/** A job: a plan that was begun, or one that takes another back. */
export interface JobInfo {
  /** Its id. */
  job: string;
  /** Its state. */
  state: JobStanding;
  /** The job that took it back. */
  undone_by: string | null;
  /** The job that it undoes. */
  undoes: string | null;
  /** The folders that it is about. */
  scope: string[];
  /** Steps that are done. */
  done: number;
  /** Steps altogether. */
  steps: number;
  /** When it was begun. */
  began_at_ms: number;
  /** What was left out, with the reason; at most 50, and only of a job that was cut off or was asked for by its call. */
  left_out: PathNote[];
  /** How many those are. */
  left_out_count: number;
  /** The step at which it stopped, with the reason; only of such a job. */
  stopped: PathNote | null;
}

/** How far a job got that the host works on, no matter who has it worked on. Not journalled; may be lost: `jobs` tells how it ended. */
export interface JobProgress {
  type: "job";
  /** The job. Where it is no job over files, this is the id of its call. */
  job: string;
  /** The job that it undoes. */
  undoes: string | null;
  /** The call that started it; absent if a person did. */
  call: string | null;
  /** Steps that are behind it. */
  done: number;
  /** Steps altogether. */
  steps: number;
}

/** Jobs. */
export interface JobsAnswer {
  answer: "jobs";
  /** Newest first, at most 200. */
  jobs: JobInfo[];
}

/** A session by a one-time link. */
export interface LinkSession {
  by: "link";
  /** What is behind `#token=` in the link. */
  token: string;
}

/** A model server on this machine. */
export interface LocalServer {
  /** What usually listens there, e.g. `Ollama`. */
  name: string;
  /** The backend that speaks to it. */
  backend: string;
  /** What to set as `base_url`. */
  base_url: string;
  /** The models that it offers. */
  models: string[];
}

/** Model servers on this machine. */
export interface LocalServers {
  answer: "local_servers";
  /** Those that answered. */
  servers: LocalServer[];
}

/** How important a log line is. */
export type LogLevel =
  /** For developers. */
  | "debug"
  /** For the curious. */
  | "info"
  /** Something is off, and was handled. */
  | "warning"
  /** Something failed. */
  | "error";

/** Parameters of the notification `log`. */
export interface LogParams {
  /** How important. */
  level: LogLevel;
  /** The line; holds no key. */
  message: string;
}

/** Whose words a memory holds. A tool's are untrusted: data, never instructions. */
export type MemoryRole =
  /** The user's. */
  | "user"
  /** The planner's. */
  | "assistant"
  /** What a call gave back. */
  | "tool";

/** The location of a passage. */
export interface PassagePlace {
  /** The file. */
  path: string;
  /** The line of its text that the passage begins at, from 1. */
  line: number;
}

/** How well a memory fits what was looked for. */
export interface MemoryFound {
  /** The score, of which the best of all has 1. */
  score: number;
  /** Whether it holds all the words. */
  by_words: boolean;
  /** How near it is by its meaning, up to 1; absent where it was not found by that. */
  similarity: number | null;
}

/** What one event of a task said, or a passage of a document, as recall may hand it to the planner of a later task. */
export interface Memory {
  /** The place in the stream of the event that said it. */
  memory: number;
  /** The task that it comes from. */
  task: string;
  /** What that task was to do; its first 200 characters. */
  goal: string;
  /** The folder that task worked in. */
  workspace: string;
  /** Whose words they are. */
  role: MemoryRole;
  /** The words; at most 2,000 characters. */
  text: string;
  /** When they were said. */
  at_ms: number;
  /** When a person edited them last. */
  edited_at_ms: number | null;
  /** Where it comes from. */
  origin: MemoryOrigin;
  /** When a person let it leave its folder; absent where nobody has. */
  promoted_at_ms: number | null;
  /** What kind it is. */
  kind: MemoryKind;
  /** What a preference is about. */
  about: string | null;
  /** Whether a newer preference took its place: later tasks are not given it. */
  is_replaced: boolean;
  /** Where it stands, if it is a passage of a document. It is not edited, forgotten or promoted by its number. */
  passage: PassagePlace | null;
  /** How well it fits, where the best were asked for. */
  found: MemoryFound | null;
}

/** A page of memories. */
export interface MemoriesAnswer {
  answer: "memories";
  /** Newest first. A page may hold fewer than asked for, even none, and still not be the last. */
  memories: Memory[];
  /** What the next page has as its `before`; absent at the end. */
  next: number | null;
}

/** How much of the memories can be found by meaning. All of them can be found by their words. */
export interface MemoryStatsAnswer {
  answer: "memory_stats";
  /** What is set up to embed them: `on_device`, `none`, or the name of a backend. */
  embedder: string;
  /** Why it does not embed now; absent where nothing is known to be wrong. */
  problem: string | null;
  /** The model whose vectors are searched; absent before the first. */
  model: string | null;
  /** Memories. */
  memories: number;
  /** Those that have a vector of the model. */
  embedded: number;
  /** Those that wait for one. */
  pending: number;
  /** Those whose vector is to be made again. */
  outdated: number;
  /** Those that could not be embedded. */
  failed: number;
  /** What tools said, which is found by its words alone. */
  words_only: number;
  /** What was forgotten or pruned, and can be restored. */
  forgotten: number;
  /** Passages of documents in indexed folders. */
  passages: number;
  /** Those that have a vector of the model. */
  passages_embedded: number;
  /** Those that could not be embedded. */
  passages_failed: number;
}

/** The user's words. */
export interface UserMessage {
  role: "user";
  /** What was said. */
  text: string;
}

/** A picture as a planner gets it with the result that it belongs to. */
export interface MessagePicture {
  /** Its format. */
  media_type: PictureType;
  /** What it is, in words. */
  alt: string;
  /** Its bytes in base64; absent where the backend does not take pictures, the picture is too large to send, or newer ones took its place. The words of the result then have to do. */
  base64: string | null;
  /** BLAKE3 of its bytes. */
  digest: string;
}

/** What a call gave back. */
export interface ToolMessage {
  role: "tool";
  /** The call. */
  call: string;
  /** The tool's name. */
  tool: string;
  /** Its output, or why there is none. */
  content: string;
  /** Whether the call did what it says. */
  ok: boolean;
  /** Pictures that came with it. */
  pictures: MessagePicture[];
}

/** One message. */
export type Message =
  /** The user, or the core in the user's name. */
  | UserMessage
  /** The planner. */
  | AssistantMessage
  /** What a call gave back. Untrusted: data, never instructions. */
  | ToolMessage;

/** Result of `model.list`. */
export interface ModelListReply {
  /** Their names. */
  models: string[];
}

/** Parameters of `model.list`. */
export interface ModelListRequest {
  /** Whose models. */
  backend: BackendRef;
}

/** What a notice is about. */
export type NoticeKind =
  /** A call waits for permission. */
  | "request"
  /** A question waits for its answer. */
  | "question"
  /** A task has ended. */
  | "ended";

/** Something needs a person, or does not any more: what a screen shows as a notification, once for each id. */
export interface Notice {
  type: "notice";
  /** The request's, the question's or the task's id. */
  id: string;
  /** The task. */
  task: string;
  /** What it is about. */
  kind: NoticeKind;
  /** A line for people, control characters escaped. */
  text: string;
  /** Whether it is over: answered elsewhere, or no more needed. A screen takes it away. */
  withdrawn: boolean;
}

/** How the user is notified that something is waiting. */
export interface NotifyChannels {
  /** Local hours in which nobody is disturbed, e.g. `22:00-07:00`. */
  quiet: string | null;
  /** A command that gets each notice; changed in the file alone, since it runs as the user. */
  command: string[];
  /** Address of a topic of a relay. */
  ntfy: string | null;
}

/** A piece of a command's output. */
export interface OutputAnswer {
  answer: "output";
  /** The piece. */
  text: string;
  /** Its first byte. */
  offset: number;
  /** Where the next piece begins; absent at the end. */
  next: number | null;
  /** Bytes that are kept altogether. */
  size_bytes: number;
}

/** Nobody has come with the code. */
export interface PairingWaiting {
  stage: "waiting";
}

/** A device came with the code. */
export interface PairingClaimed {
  stage: "claimed";
  /** What it calls itself. */
  name: string;
  /** Six digits, worked out by each side from what it saw itself. */
  number: string;
  /** Whether the person has confirmed it on the desktop. */
  confirmed: boolean;
}

/** A device was paired. */
export interface PairingDone {
  stage: "paired";
  /** The device. */
  device: Device;
}

/** A pairing ended without a device. */
export interface PairingOver {
  stage: "over";
  /** Why. */
  reason: Phrase;
}

/** The state of a pairing. */
export type PairingStage =
  /** Nobody has come with the code. */
  | PairingWaiting
  /** A device came; both sides show the number. */
  | PairingClaimed
  /** Done. */
  | PairingDone
  /** Ended without a device. */
  | PairingOver;

/** A pairing that was begun. */
export interface PairingAnswer {
  answer: "pairing";
  /** What the device scans: an address, with the one-time code and the certificate's fingerprint behind the `#`. */
  link: string;
  /** SHA-256 of the server's public key, which the device holds every connection against. */
  fingerprint: string;
  /** Until when it can be finished. */
  expires_at_ms: number;
  /** Its state. */
  stage: PairingStage;
}

/** What a device sends first when it is paired. */
export interface PairingClaim {
  /** The one-time code. */
  code: string;
  /** What it calls itself. */
  name: string;
  /** Its P-256 key for signatures: the uncompressed point in base64url. */
  sign_key: string;
  /** Its P-256 key for what is sealed to it, as above. */
  seal_key: string | null;
}

/** What a device sends once its owner has compared the numbers; again until the desktop has confirmed. */
export interface PairingFinish {
  /** The one-time code. */
  code: string;
  /** Its signature over `deputy-pair-1`, the fingerprint, the code and the number, a line each. */
  signature: string;
}

/** A piece of a picture. */
export interface PictureAnswer {
  answer: "picture";
  /** The picture's format, by its own first bytes. */
  media_type: PictureType;
  /** The piece in base64. */
  base64: string;
  /** Where the next piece begins; absent at the end. */
  next: number | null;
  /** Bytes of the whole picture. */
  size_bytes: number;
}

/** Result of `inference.plan` and `inference.plan_more`. */
export interface PlanAnswer {
  /** The plan. */
  plan: AgentPlan;
  /** What it cost; zeros when the provider does not say. */
  usage: Usage;
  /** The conversation that it answers, where the sidecar keeps it. */
  kept: ConversationMark | null;
}

/** `error.data` of a JSON-RPC error; `error.message` is for people and says what to do next. */
export interface PlanErrorData {
  /** Why. */
  code: PlanErrorCode;
  /** Seconds the provider asks to wait. */
  retry_after_secs: number | null;
  /** `error.message` as a message of the catalogue; absent where it is in a backend's own words. */
  said: Phrase | null;
  /** What the provider counted before it failed; absent where it counted nothing. */
  usage: Usage | null;
}

/** Parameters of `inference.plan_more`: what is new in a conversation that the sidecar keeps. The rest of the request is as it was. Where the sidecar does not hold the conversation up to `base`, it refuses with the error -32001. */
export interface PlanMore {
  /** Who plans. */
  backend: BackendRef;
  /** The name under which it is kept. */
  conversation: string;
  /** How far it is held. */
  base: ConversationMark;
  /** What follows. */
  messages: Message[];
}

/** A plan, and what it cost. */
export interface PlanReply {
  /** The plan; ids of its calls need only be unique within it. */
  plan: AgentPlan;
  /** What it cost; zeros when the provider does not say. */
  usage: Usage;
}

/** A tool as the planner sees it. */
export interface ToolSpec {
  /** Its name. */
  name: string;
  /** What it does and when to use it. */
  description: string;
  /** JSON Schema of its parameters. */
  parameters: unknown;
}

/** Parameters of `inference.plan`. */
export interface PlanRequest {
  /** Who plans. */
  backend: BackendRef;
  /** The profile's prompt and the core's rules. */
  system: string;
  /** The conversation so far; the last is never the assistant's. */
  messages: Message[];
  /** What may be called. */
  tools: ToolSpec[];
  /** Tasks of the same conversation that came before, the newest last. */
  earlier: EarlierTask[];
  /** The name under which the sidecar is to keep the conversation, so that the next plan need only be sent what is new. */
  conversation: string | null;
}

/** What a million tokens cost. */
export interface Price {
  /** The model's or the backend's name; a model's may be its beginning. */
  of: string;
  /** A million tokens read. */
  input: number;
  /** A million tokens read from the provider's cache. */
  cached: number;
  /** A million tokens written. */
  output: number;
  /** The day that Deputy knows it from; absent where it is the user's own. */
  as_of: string | null;
}

/** Which file it is. */
export type ProfileFileKind =
  /** `scratchpad.md`: what running tasks note down for themselves. */
  | "scratchpad"
  /** `conversation_history.json`: what was said in the last tasks. */
  | "history"
  /** `learned_preferences.toml`: the preferences that hold. */
  | "preferences";

/** A file of a profile. */
export interface ProfileFile {
  /** The profile. */
  profile: string;
  /** Which file it is. */
  kind: ProfileFileKind;
  /** Its path. */
  path: string;
  /** What it holds; empty where it cannot be read. */
  text: string;
  /** Why changes in it cannot be taken up. It is left as it is until they can. */
  problem: string | null;
}

/** Files, by profile. */
export interface ProfileFilesAnswer {
  answer: "profile_files";
  /** The files that there are. */
  files: ProfileFile[];
}

/** Something that is not journalled; may be lost. */
export interface Progress {
  type: "progress";
  /** The task. */
  task: string;
  /** The call whose output it is; the planner's text when absent. */
  call: string | null;
  /** The next piece of text. */
  text: string;
}

/** Parameters of the notification `progress`. */
export interface ProgressParams {
  /** Id of the request it belongs to. */
  id: number;
  /** The next piece of the model's text. */
  text: string;
}

/** A piece of it. */
export interface PromptAnswer {
  answer: "prompt";
  /** A piece of a JSON object: `sent`, as an `inference.plan` has it, and `received`, the step's events that answer it. */
  text: string;
  /** Where the next piece begins; absent at the end. */
  next: number | null;
}

/** How many memories of a kind there are. */
export interface PruneCount {
  /** The kind. */
  kind: PruneKind;
  /** How many. */
  memories: number;
}

/** What pruning would forget. */
export interface PrunePreview {
  answer: "prune_preview";
  /** How many memories. */
  memories: number;
  /** How many of each kind there are among them. */
  kinds: PruneCount[];
  /** When the oldest was said; absent if there is none. */
  oldest_ms: number | null;
  /** When the newest was said. */
  newest_ms: number | null;
  /** The beginnings of the newest few. */
  examples: string[];
}

/** The state at a place in the stream. */
export interface Snapshot {
  /** The last event that is in it. */
  seq: number;
  /** The state. */
  state: AgentState;
}

/** The state. */
export interface StateAnswer {
  answer: "state";
  /** The snapshot. */
  snapshot: Snapshot;
}

/** Where in a task something was said: the newest place that has all of the words that were looked for. */
export interface SaidInTask {
  /** The task. */
  task: string;
  /** The event that said it. */
  event: number;
  /** Who said it. */
  role: MemoryRole;
  /** When. */
  at_ms: number;
  /** The words with some around them. */
  text: string;
}

/** Tasks. */
export interface TasksAnswer {
  answer: "tasks";
  /** Newest first. */
  tasks: TaskSummary[];
  /** Where the words that were looked for were said: one place of each task, the newest first. */
  said: SaidInTask[];
}

/** One task. */
export interface TaskAnswer {
  answer: "task";
  /** The task. */
  task: TaskSummary;
}

/** A search provider that can be set. */
export interface SearchChoice {
  /** Its name. */
  name: string;
  /** As people call it. */
  label: string;
  /** Its own address; one without needs to be given one. */
  address: string | null;
  /** Whether it needs a key. */
  takes_key: boolean;
  /** Whether it came with Deputy; the others are files of the user's own. */
  shipped: boolean;
  /** Where its key is looked for; absent where none is expected or nothing names one. */
  key: KeyPlace | null;
  /** What is missing before it can be asked; a key in the keyring is not looked for. */
  problem: Phrase | null;
}

/** Web search. */
export interface WebSearchSettings {
  /** The provider that is asked; absent where none is set. */
  provider: string | null;
  /** Where it is, if not at its own address. */
  address: string | null;
  /** All providers: the shipped ones, then the user's own. */
  providers: SearchChoice[];
}

/** The settings of a host. */
export interface Settings {
  answer: "settings";
  /** The file they are in. */
  path: string;
  /** As the host has them now. */
  choices: Choices;
  /** What is known of each backend, in the order of the choices. */
  backends: BackendSettings[];
  /** Tasks that work at the same time. */
  max_concurrent_tasks: number;
  /** How the user is notified that something is waiting. */
  notify: NotifyChannels;
  /** Web search. */
  search: WebSearchSettings;
  /** Settings that were changed and hold from the next start on. */
  after_restart: string[];
}

/** What came of searching once. */
export interface SearchCheck {
  answer: "search_check";
  /** The provider; empty where none is set. */
  provider: string;
  /** Why it cannot be used, if so. */
  problem: ErrorBody | null;
  /** Results that it gave. */
  results: number;
  /** How long it took to answer. */
  took_ms: number;
}

/** One rule of the user's. */
export interface UserRule {
  /** The line of the file, from 1. */
  line: number;
  /** What becomes of what it covers. */
  effect: Decision;
  /** What it covers, in words. */
  text: Phrase;
  /** The same as it can be changed here; absent where only the file says all of it. */
  command: CommandRule | null;
}

/** What the rules file says. */
export interface RulesAnswer {
  answer: "rules";
  /** The file that holds them, whether it is there or not. */
  path: string;
  /** In the order of the file. */
  rules: UserRule[];
  /** What is wrong with the file; until it is fixed, everything asks. */
  problem: Phrase | null;
}

/** Tokens of a task in a quarter of an hour. */
export interface UsageRow {
  /** When the quarter began. */
  at_ms: number;
  /** The task. */
  task: string;
  /** What it was to do. */
  goal: string;
  /** The backend that answered. */
  backend: string;
  /** The model as it was configured then; absent where the backend names none. */
  model: string | null;
  /** How many plans these are. */
  plans: number;
  /** Tokens read, those from the provider's cache included. */
  input_tokens: number;
  /** Tokens written, thoughts included. */
  output_tokens: number;
  /** Of those read, tokens that came from the provider's cache. */
  cached_tokens: number;
  /** Of those written, tokens of thoughts. */
  reasoning_tokens: number;
  /** What they cost, in millionths of the currency, by the prices of then; by those of now where none was known then. */
  cost_micros: number | null;
}

/** What the models cost. */
export interface UsageAnswer {
  answer: "usage";
  /** Tokens by quarter of an hour, task, backend and model, oldest first. */
  rows: UsageRow[];
  /** The prices that hold now: those that are configured, then those that Deputy knows. */
  prices: Price[];
  /** What they are in, e.g. `USD`. */
  currency: string;
  /** What all tasks of today used, against the limits of a day. */
  today: DaySpent;
}

/** Finding files and looking into them. */
export interface ScanLooking {
  stage: "looking";
  /** Files behind it. */
  files: number;
}

/** Reading files to their end that may be copies. */
export interface ScanComparing {
  stage: "comparing";
  /** Files behind it. */
  done: number;
  /** Files altogether. */
  total: number;
}

/** What a scan did not look at, by number. */
export interface ScanLeftOut {
  /** Hidden or secret. */
  hidden: number;
  /** Links and special files. */
  special: number;
  /** Names that are no valid UTF-8. */
  unnameable: number;
  /** What could not be read. */
  unreadable: number;
}

/** What a scan found, and the plan drafted for it. */
export interface ScanDrafted {
  stage: "drafted";
  /** The draft; absent where there is nothing to do. */
  draft: string | null;
  /** Files that were looked at. */
  files: number;
  /** Their size. */
  bytes: number;
  /** Surplus copies among them. */
  copies: number;
  /** Conventions that names could follow, the likeliest first. */
  conventions: ConventionCard[];
  /** Files that are left alone although they lie loose, at most 50. */
  left_alone: PathNote[];
  /** How many those are. */
  left_alone_count: number;
  /** What was not looked at: hidden or secret, links and special files, names that are no text, unreadable. */
  left_out: ScanLeftOut;
  /** Operations that one plan has no room for. */
  too_many: number;
}

/** It could not be made. */
export interface ScanFailed {
  stage: "failed";
  /** Why. */
  error: ErrorBody;
}

/** The state of a scan. */
export type ScanStage =
  /** Finding files and looking into them. */
  | ScanLooking
  /** Reading files to their end that may be copies. */
  | ScanComparing
  /** Done. */
  | ScanDrafted
  /** It could not be made, or was stopped. */
  | ScanFailed;

/** A scan. */
export interface ScanAnswer {
  answer: "scan";
  /** Its id. */
  scan: string;
  /** Its state. */
  stage: ScanStage;
}

/** The answer to a query. */
export type QueryAnswer =
  /** The state. */
  | StateAnswer
  /** Tasks. */
  | TasksAnswer
  /** One task. */
  | TaskAnswer
  /** Events. */
  | EventsAnswer
  /** Grants. */
  | GrantsAnswer
  /** What a grant would have let through. */
  | GrantPreview
  /** The live console of a task. */
  | Console
  /** Devices. */
  | DevicesAnswer
  /** A pairing that was begun. */
  | PairingAnswer
  /** What a new task may be given. */
  | ChoicesAnswer
  /** The settings. */
  | Settings
  /** What came of asking a backend. */
  | BackendCheck
  /** What came of searching once. */
  | SearchCheck
  /** Model servers on this machine. */
  | LocalServers
  /** What was looked at. */
  | DoctorAnswer
  /** What would be decided. */
  | Explanation
  /** The user's own rules. */
  | RulesAnswer
  /** What the models cost. */
  | UsageAnswer
  /** A piece of what was sent to the model. */
  | PromptAnswer
  /** Folders that a path could continue with. */
  | FoldersAnswer
  /** A scan. */
  | ScanAnswer
  /** A draft, tried. */
  | DraftAnswer
  /** Jobs. */
  | JobsAnswer
  /** Memories. */
  | MemoriesAnswer
  /** How much of the memories can be found by meaning. */
  | MemoryStatsAnswer
  /** What pruning would forget. */
  | PrunePreview
  /** Files of profiles. */
  | ProfileFilesAnswer
  /** Folders whose documents can be recalled. */
  | IndexedFoldersAnswer
  /** A piece of the whole output of a command. */
  | OutputAnswer
  /** A piece of a picture. */
  | PictureAnswer
  /** A task's browser. */
  | BrowserAnswer;

/** The answer to a query. */
export interface QueryReply {
  type: "query_reply";
  /** The query's id. */
  id: string;
  /** The answer. */
  answer: QueryAnswer;
}

/** The hello was good. */
export interface Welcome {
  type: "welcome";
  /** The host's version of the protocol. */
  protocol: number;
  /** The host's version. */
  version: string;
  /** The newest event. */
  seq: number;
  /** What this connection may do. */
  scopes: DeviceScope[];
  /** Whether it is the host's own user's; only such a one sees devices and settings. */
  local: boolean;
}

/** The state. */
export interface SnapshotMessage {
  type: "snapshot";
  /** The snapshot. */
  snapshot: Snapshot;
}

/** What the host sends. */
export type ServerMessage =
  /** Who are you? Comes first, but not over the Unix socket. */
  | Challenge
  /** The hello was good; events after `resume_from` follow, or a snapshot. */
  | Welcome
  /** The state; what follows builds on it. */
  | SnapshotMessage
  /** Something happened. */
  | EventMessage
  /** Something that is not journalled, e.g. streamed text. */
  | Progress
  /** How far a job over files got. */
  | JobProgress
  /** Something needs a person, or does not any more. */
  | Notice
  /** The answer to a command. */
  | CommandReply
  /** The answer to a query. */
  | QueryReply
  /** The message with this id, or the connection, failed. */
  | ErrorMessage;

/** A session that was opened. */
export interface Session {
  /** Its secret: for the hello of a WebSocket, or after `Authorization: Bearer`. */
  session: string;
  /** When it ends. */
  expires_at_ms: number;
  /** What it may do. */
  scopes: DeviceScope[];
}

/** What opens a session over HTTP. */
export type SessionRequest =
  /** A one-time link. */
  | LinkSession
  /** A device that has signed a challenge. */
  | DeviceSession;

/** Errors of a connection that connecting again does not mend. */
export const FINAL_ERRORS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "protocol",
  "no_proof",
  "bad_session",
  "session_over",
  "bad_signature",
  "unknown_device",
  "revoked",
]);
