/** The words of Deputy as types. Written by `cargo xtask codegen` from crates/protocol; do not edit. */

/** Version of every protocol; peers with another one are refused with a clear error. */
export const PROTOCOL_VERSION = 1;

/** Nothing exists at the path. */
export interface AbsentFile {
  kind: "absent";
}

/** An access that runs a command with bash. */
export interface ShellAccess {
  access: "shell";
  /** The command, exactly as bash would receive it. */
  command: string;
}

/** An access that reads a file. */
export interface ReadAccess {
  access: "read";
  /** The path as given. A relative path is relative to the working directory. */
  path: string;
}

/** An access that lists a folder. */
export interface ListAccess {
  access: "list";
  /** The path as given. A relative path is relative to the working directory. */
  path: string;
}

/** An access that creates or changes a file or folder. */
export interface WriteAccess {
  access: "write";
  /** The path as given. A relative path is relative to the working directory. */
  path: string;
}

/** An access that removes a file or folder. */
export interface DeleteAccess {
  access: "delete";
  /** The path as given. A relative path is relative to the working directory. */
  path: string;
}

/** An access that moves or renames a file or folder. */
export interface MoveAccess {
  access: "move";
  /** The current path. A relative path is relative to the working directory. */
  path: string;
  /** The new path. A relative path is relative to the working directory. */
  dest: string;
}

/** An access that copies a file or folder. */
export interface CopyAccess {
  access: "copy";
  /** The path of the original. A relative path is relative to the working directory. */
  path: string;
  /** The path of the copy. A relative path is relative to the working directory. */
  dest: string;
}

/** An access that requests an address. */
export interface UrlAccess {
  access: "url";
  /** The address as given. */
  url: string;
  /** Whether a page requests the address (`true`) or the browser navigates to it (`false`). */
  subresource: boolean;
}

/** An access to something that the task itself started. */
export interface OwnAccess {
  access: "own";
  /** What is accessed, for people, e.g. `the output of b1`. */
  what: string;
}

/** An action on memories. */
export type MemoryDeed =
  /** Reads memories that are available in the task's folder. */
  | "look"
  /** Remembers something for tasks in the same folder. */
  | "keep_here"
  /** Remembers something for tasks in every folder. */
  | "keep_everywhere"
  /** Forgets something. */
  | "forget"
  /** Reads or writes the task's scratchpad. */
  | "scratchpad";

/** An access to memories. */
export interface MemoryAccess {
  access: "memory";
  /** What is done with the memories. */
  does: MemoryDeed;
  /** The text to search for, remember or forget. */
  text: string;
}

/** An action on an open page. */
export type PageDeed =
  /** Reads the page. */
  | "look"
  /** Clicks, types or chooses something on the page. */
  | "act"
  /** Fills in a password, a one-time code or a payment card. */
  | "fill_secret"
  /** Submits a form to another origin. */
  | "send_elsewhere"
  /** Runs a script on the page. */
  | "script"
  /** Uploads files to the page. */
  | "upload"
  /** Enters text on the page that was read on another origin. */
  | "carry_over";

/** An access to a page that is open in the task's browser. */
export interface PageAccess {
  access: "page";
  /** What is done with the page. */
  does: PageDeed;
  /** The target of the action and its values, for people. */
  text: string;
}

/** Something that a call would touch. */
export type Access =
  /** Runs a command with bash. */
  | ShellAccess
  /** Reads a file. */
  | ReadAccess
  /** Lists a folder, or walks the tree below it. */
  | ListAccess
  /** Creates or changes a file or folder. */
  | WriteAccess
  /** Removes a file or folder. */
  | DeleteAccess
  /** Moves or renames a file or folder. */
  | MoveAccess
  /** Copies a file or folder. */
  | CopyAccess
  /** Requests an address. */
  | UrlAccess
  /** Reads or ends something that the task itself started. */
  | OwnAccess
  /** Reads or changes memories. */
  | MemoryAccess
  /** Reads or acts on a page that is open in the task's browser. */
  | PageAccess;

/** The state of a task that is waiting for its turn. */
export interface QueuedTask {
  state: "queued";
}

/** The state of a task that is planning or running calls. */
export interface RunningTask {
  state: "running";
  /** The number of the current iteration, from 1. */
  iteration: number;
}

/** The state of a task that is waiting for its sub-tasks. */
export interface AwaitingSubtasksTask {
  state: "awaiting_subtasks";
  /** The number of the current iteration, from 1. */
  iteration: number;
}

/** The state of a task that is waiting for its model's provider. */
export interface AwaitingProviderTask {
  state: "awaiting_provider";
  /** When the task continues. */
  until_ms: number;
  /** The backend that it waits for, as `backend` or `backend/model`. */
  backend: string;
  /** The number of the current iteration, from 1. */
  iteration: number;
}

/** Why a task is paused. */
export type PauseReason =
  /** The user paused the task. */
  | "by_user"
  /** The task is waiting for an answer to a question. */
  | "question"
  /** The task is waiting for an answer to a permission request. */
  | "permission"
  /** A limit of time, tokens or cost was reached. */
  | "budget"
  /** Nobody answered a permission request in time. It is made again when a person resumes the task. */
  | "expired";

/** The state of a task that is waiting for a person. */
export interface PausedTask {
  state: "paused";
  /** Why the task is paused. */
  reason: PauseReason;
  /** The number of the current iteration, from 1; 0 before the first one. */
  iteration: number;
}

/** How a task ended. */
export type StopReason =
  /** The planner reported that the task is done. */
  | "completed"
  /** The user stopped the task. */
  | "manual_stop"
  /** The task could not continue because of an error. */
  | "error"
  /** The limit `max_iterations` was reached. */
  | "iteration_limit"
  /** The user denied something that the task could not continue without. */
  | "denied"
  /** The task was submitted without a model, but it needs one. */
  | "needs_model";

/** A message of the catalog with its arguments. */
export interface CatalogueMessage {
  /** The id of the message; see `crates/messages`. The id `joined` means the phrases in `items`, joined with `by`. */
  id: string;
  /** The arguments by name. Each is a string, a number, a message without `text`, an object with only `text` for a phrase without a message, or a list of these. They are data and are never interpreted. */
  args: Record<string, unknown>;
  /** The English text of the message. */
  text: string;
}

/** Words for people: a message that a screen says in its own language, or a bare text, which is a person's or a model's own words, or from an older journal. */
export type Phrase = string | CatalogueMessage;

/** The state of a task that has ended. */
export interface StoppedTask {
  state: "stopped";
  /** How the task ended. */
  reason: StopReason;
  /** The final answer, or what went wrong and what to do next. */
  summary: Phrase;
  /** The number of permission requests of the task that were denied. */
  denied: number;
  /** Whether everything that the task changed was undone. */
  undone: boolean;
}

/** The state of a task whose process died. */
export interface InterruptedTask {
  state: "interrupted";
  /** The number of the iteration that was interrupted. */
  iteration: number;
}

/** The state of a task. */
export type TaskState =
  /** The task is waiting for its turn. */
  | QueuedTask
  /** The task is planning or running calls. */
  | RunningTask
  /** The task is waiting for its sub-tasks and does nothing itself. */
  | AwaitingSubtasksTask
  /** The task is waiting until its model's provider accepts requests again. It then continues by itself. */
  | AwaitingProviderTask
  /** The task is waiting for a person. */
  | PausedTask
  /** The task has ended. */
  | StoppedTask
  /** The task's process died. The task resumes from the journal. */
  | InterruptedTask;

/** The progress of a to-do list, as shown in lists of tasks. */
export interface TodoProgress {
  /** The number of steps that are done. */
  done: number;
  /** The number of steps, without those that were dropped. */
  total: number;
  /** The title of the step that is in progress. Absent if there is none. */
  current: string | null;
}

/** The call of a parent task that delegated a sub-task. */
export interface ParentCall {
  /** The id of the parent task. */
  task: string;
  /** The id of the call. */
  call: string;
}

/** A task as shown in lists. */
export interface TaskSummary {
  /** The id of the task. */
  id: string;
  /** The id of the conversation that the task belongs to. */
  session: string;
  /** What the user wants. */
  goal: string;
  /** The name of the task's profile. */
  profile: string;
  /** The name of the task's backend. */
  backend: string;
  /** The model that plans the task. Absent if it is the backend's configured model. */
  model: string | null;
  /** The real path of the task's workspace. */
  workspace: string;
  /** The state of the task. */
  state: TaskState;
  /** The number of tokens that the task has used so far. */
  tokens: number;
  /** The cost of the task's tokens, in millionths of the currency. It covers only the tokens whose price is known; absent if none is. */
  cost_micros: number | null;
  /** The progress of the task's to-do list. Absent if there is no list. */
  todo: TodoProgress | null;
  /** When the task was submitted. */
  created_at_ms: number;
  /** When the task last changed. */
  updated_at_ms: number;
  /** The task's place in the queue. Absent unless the task is queued. */
  queue_rank: string | null;
  /** The title that a person gave to the conversation that starts with this task. */
  title: string | null;
  /** Whether the conversation was archived while this was its newest task. */
  archived: boolean;
  /** The call of the parent task that delegated this task. Absent unless the task is a sub-task. */
  parent: ParentCall | null;
}

/** The kind of a part. */
export type PartKind =
  /** A simple command. */
  | "command"
  /** A path that is read or listed. */
  | "read"
  /** A path that is created, changed, moved or removed. */
  | "write"
  /** A host or origin. */
  | "host"
  /** A shell construct that is judged as a whole. */
  | "construct"
  /** A credential of the user that the call borrows: a login, a key or a socket. */
  | "loan";

/** What happens with a call. The variants are ordered by strictness, so that the strictest of several is their maximum. */
export type Decision =
  /** The call runs without asking a person. */
  | "allow"
  /** A person decides. */
  | "ask"
  /** The call does not run. */
  | "deny";

/** How harmful a call could be. */
export type Risk =
  /** Reading, or changes that undo can revert. */
  | "low"
  /** Changes outside the workspace, network access, and programs whose actions cannot be predicted. */
  | "medium"
  /** Loss of data, access to secrets or privileges, or running code from elsewhere. */
  | "high";

/** A simple command, path or host with its own decision. */
export interface Part {
  /** The kind of part. */
  kind: PartKind;
  /** The canonical form: a quoted argv, an absolute path or an origin. Control characters are escaped. */
  text: string;
  /** The decision on this part. */
  decision: Decision;
  /** The risk of this part. */
  risk: Risk;
  /** The reason for the decision. */
  reason: Phrase;
}

/** One of several calls that are asked about together. An answer can leave it out. */
export interface RequestedStep {
  /** The call. */
  call: string;
  /** What the call will do, in one sentence. */
  summary: Phrase;
  /** The command that bash would run, with control characters escaped. Absent if the call is not a command. */
  command: string | null;
  /** The real path of the file that the call edits, with control characters escaped. Absent unless it edits one file. */
  path: string | null;
  /** The unified diff of the change. Absent if the call has none. */
  diff: string | null;
  /** Every simple command, path and host of the call with its own decision. */
  parts: Part[];
  /** How harmful the call could be. */
  risk: Risk;
  /** The digest of the call alone. If it has changed when the call is about to run, permission is requested again. */
  digest: string;
}

/** Creates a folder. */
export interface CreateFolderAction {
  kind: "create_folder";
  /** The path of the new folder. */
  path: string;
}

/** Moves a file or folder to another folder. */
export interface MoveFileAction {
  kind: "move";
  /** The current path. */
  path: string;
  /** The new path, including the name. */
  destination: string;
}

/** Renames a file or folder within its folder. */
export interface RenameAction {
  kind: "rename";
  /** The current path. */
  path: string;
  /** The new name, without a folder. */
  name: string;
}

/** Copies a file. */
export interface CopyFileAction {
  kind: "copy";
  /** The path of the file. */
  path: string;
  /** The path of the copy, including its name. */
  destination: string;
}

/** Moves a file or folder to the trash. */
export interface TrashAction {
  kind: "trash";
  /** The path of the file or folder. */
  path: string;
}

/** What an operation does. Paths are absolute. If the plan's scope is a single folder, they may be relative to it. */
export type OrganizeAction =
  /** Creates a folder and its missing parent folders. */
  | CreateFolderAction
  /** Moves a file or folder to another folder. */
  | MoveFileAction
  /** Renames a file or folder within its folder. */
  | RenameAction
  /** Copies a file. */
  | CopyFileAction
  /** Moves a file or folder to the trash. */
  | TrashAction;

/** An operation of a plan. */
export interface OrganizeOperation {
  /** The id of the operation, unique in its plan. */
  id: string;
  /** What the operation does. */
  action: OrganizeAction;
  /** The reason for the operation, for people. */
  reason: Phrase;
  /** How harmful a mistake in the operation would be. A check sets it to the risk of the action's kind and ignores the planner's value. */
  risk: Risk;
}

/** A plan of file operations in some folders. The operations are performed in order; each path is the path after the operations before it. */
export interface OrganizePlan {
  /** The absolute real paths of the folders that the plan covers. Nothing is moved out of or into any other folder. */
  scope: string[];
  /** The reasoning behind the plan, for people. */
  reasoning: Phrase;
  /** The operations, in order. */
  operations: OrganizeOperation[];
}

/** The folders of a plan, before and after it. */
export interface DraftTrees {
  /** The current tree, as absolute paths. A folder's path ends with a slash and follows that of the folder that contains it. */
  before: string[];
  /** The tree after the plan, in the format of `before`. */
  after: string[];
}

/** A plan of file operations, as shown in a permission request. */
export interface RequestedPlan {
  /** The operations, each with the risk of its kind. */
  plan: OrganizePlan;
  /** The folders before and after the plan. Absent if they contain too many files to show. */
  trees: DraftTrees | null;
}

/** What the operating system allows a process to do, independent of the decision. Ordered from narrow to wide. */
export type Confinement =
  /** System folders and the workspace are readable. Nothing is writable, and there is no network. */
  | "read_only"
  /** Like `read_only`, and the workspace is writable. */
  | "workspace"
  /** Like `workspace`, with network access. */
  | "workspace_net"
  /** Everything that the user may do, except gaining privileges. */
  | "open";

/** Files that a command could change and that are not saved for undo. */
export interface NotKept {
  /** The number of files. A folder that was not searched counts as one. */
  files: number;
  /** The total size in bytes, as far as it is known. */
  bytes: number;
  /** Whether there are more files than were counted. */
  and_more: boolean;
  /** A few of the files with the reason, with control characters escaped. */
  examples: Phrase[];
}

/** A kind of access that a command tried. */
export type AttemptKind =
  /** Starting a program. */
  | "execute"
  /** Reading a file or folder. */
  | "read"
  /** Changing, creating, removing or renaming a file or folder. */
  | "write";

/** An access by a running command that its sandbox refuses. Allowing it opens exactly this access for the rest of the call. */
export interface WantedAccess {
  /** The path of the program that tries the access, with control characters escaped. */
  program: string;
  /** The kind of access. */
  operation: AttemptKind;
  /** The real path of the target, with control characters escaped. */
  path: string;
  /** What the call does, in one sentence. */
  of: Phrase;
}

/** The details of a permission request, as data for screens. */
export interface RequestDetails {
  /** The real path of the folder that the call runs in. */
  cwd: string;
  /** The command that bash would run, with control characters escaped. Absent if the call is not a command. */
  command: string | null;
  /** Every simple command, path and host of the call with its own decision. Calls that are asked about together have their own. */
  parts: Part[];
  /** Whether the command keeps running after the call, until it is stopped or the task ends. */
  background: boolean;
  /** The task's folder. Absent unless the call runs in a different folder. */
  away_from: string | null;
  /** The time limit in seconds that the call sets for its command. Absent if the default limit applies or the call is not a command. */
  time_limit_secs: number | null;
  /** The unified diff of the change. Absent if the call has none. */
  diff: string | null;
  /** Calls of one plan that are asked about together, in its order. There are at least two. Empty for any other request. */
  steps: RequestedStep[];
  /** The plan of file operations that the call executes, with the trees before and after. Absent if the call does not execute a plan. The digest of the request covers it. */
  plan: RequestedPlan | null;
  /** What the operating system allows the call to do. */
  confinement: Confinement;
  /** The files that the command could change and that undo could not restore. Absent if there are none. */
  not_kept: NotKept | null;
  /** When the user refused a call of the same task that touches the same paths, in milliseconds since the epoch. Absent if there is none. Only a person allows such a call, not a standing consent. */
  refused_at_ms: number | null;
  /** What the running call wants to access outside its sandbox. Absent for a call that has not started. */
  wanted: WantedAccess | null;
}

/** The answer applies to this call only. */
export interface OnceLifetime {
  for: "once";
}

/** The answer applies to this call only, and every value of the secrets that it reads is masked. */
export interface NamesLifetime {
  for: "names";
}

/** The answer applies until the task ends. */
export interface TaskLifetime {
  for: "task";
  /** The id of the task. */
  task: string;
}

/** The answer applies to every task of the conversation. */
export interface SessionLifetime {
  for: "session";
  /** The id of the conversation. */
  session: string;
}

/** The answer applies for a number of minutes, starting when it is given. */
export interface MinutesLifetime {
  for: "minutes";
  /** The number of minutes. */
  minutes: number;
}

/** The answer applies until it is revoked. */
export interface AlwaysLifetime {
  for: "always";
}

/** How long an answer applies. */
export type Lifetime =
  /** For this call only. Nothing is remembered. */
  | OnceLifetime
  /** For this call only, which reads secrets and gets the names of their settings without the values. */
  | NamesLifetime
  /** Until the task ends. */
  | TaskLifetime
  /** For every task of the conversation. */
  | SessionLifetime
  /** For a number of minutes. */
  | MinutesLifetime
  /** Until it is revoked. */
  | AlwaysLifetime;

/** A rule that covers exactly one call. */
export interface CallRule {
  kind: "call";
  /** The name of the tool, for display. */
  tool: string;
  /** What the call does, for display. */
  summary: Phrase;
  /** The digest of the call. */
  digest: string;
}

/** A rule that covers simple commands by their argv. */
export interface ArgvRule {
  kind: "argv";
  /** The words of the command, literally. */
  argv: string[];
  /** Whether further words may follow. */
  prefix: boolean;
}

/** An operation on a path. */
export type PathOperation =
  /** Reading a file or listing a folder. */
  | "read"
  /** Creating or changing a file or folder. */
  | "write"
  /** Removing a file or folder. */
  | "delete";

/** A rule that covers a path or a folder. */
export interface PathRule {
  kind: "path";
  /** The operation that is covered. */
  operation: PathOperation;
  /** The real absolute path. */
  path: string;
  /** Whether everything below the path is also covered. */
  below: boolean;
  /** Whether `git add` and `git commit` of files below the path are also covered, without running hooks. */
  commits: boolean;
}

/** A rule that covers a web origin. */
export interface OriginRule {
  kind: "origin";
  /** The origin in canonical form: `scheme://host[:port]`. */
  origin: string;
}

/** A rule that covers work in a folder. What a call does is bounded by the walls, and not by its text. */
export interface FolderRule {
  kind: "folder";
  /** The real absolute path of the folder. */
  path: string;
}

/** What a grant covers. */
export type GrantRule =
  /** Exactly one call in exactly one folder. */
  | CallRule
  /** Simple commands whose argv is equal to a list of words or starts with it. */
  | ArgvRule
  /** A path, or everything below a folder. */
  | PathRule
  /** A web origin. */
  | OriginRule
  /** Work in a folder: every call of every tool that stays in it, without a network. */
  | FolderRule;

/** One way to allow a call. */
export interface Offer {
  /** How long the answer applies. */
  lifetime: Lifetime;
  /** The rule that is remembered. Absent for `once`. */
  rule: GrantRule | null;
  /** Whether the rule covers more than what is asked, such as further words or a whole folder. */
  wider: boolean;
  /** The offer, described for people, e.g. `cargo test … in /home/me/project, always`. */
  label: Phrase;
}

/** A permission request: a call that is waiting for a person's answer. */
export interface PermissionRequest {
  /** The id of the request. It is unique and stays the same after a restart. */
  id: string;
  /** The task that is waiting. */
  task: string;
  /** The conversation of that task. */
  session: string;
  /** The call that is waiting. If several calls are asked about together, it is the first of them. */
  call: string;
  /** The name of the tool. */
  tool: string;
  /** What the call will do, in one sentence. */
  summary: Phrase;
  /** The details of the call. */
  details: RequestDetails;
  /** How harmful the call could be. */
  risk: Risk;
  /** The reasons why a person is asked. */
  reasons: Phrase[];
  /** The digest that an answer is bound to. It covers the tool, its parameters, the folder and the confinement. */
  digest: string;
  /** The ways to allow the call. Denying it and asking for a change are always possible; any other answer is refused. */
  offered: Offer[];
  /** When the request was made. */
  created_at_ms: number;
  /** When the request expires. Its task then waits until a person resumes it, and asks again. */
  expires_at_ms: number;
}

/** A question from the planner, or from one of the agent's brakes, that is waiting for a person. */
export interface Question {
  /** The id of the question. */
  id: string;
  /** The task that is waiting. */
  task: string;
  /** The text of the question. */
  text: Phrase;
  /** The answers to choose from. If empty, the answer is free text. */
  choices: string[];
  /** When the question was asked. */
  created_at_ms: number;
}

/** The state in which a task is running or something is waiting. */
export interface ActiveAgent {
  agent: "active";
  /** Tasks that have not ended, oldest first. Queued tasks come after the others, in the order in which they will start. */
  tasks: TaskSummary[];
  /** Permission requests that have not been answered. */
  requests: PermissionRequest[];
  /** Questions that have not been answered. */
  questions: Question[];
}

/** A call as the model wrote it: a function of the model's, for one action of a tool. */
export interface WrittenCall {
  /** The name of the function. */
  name: string;
  /** The arguments. `None` if they are the parameters of the tool without `action`. */
  arguments: unknown;
}

/** A call of a tool. */
export interface ToolCall {
  /** The id of the call, unique over all tasks. The core replaces any id that the model chose. */
  id: string;
  /** The name of the tool. */
  tool: string;
  /** The parameters: an object that conforms to the tool's schema. */
  parameters: unknown;
  /** Why the arguments from the model could not be parsed, with their beginning. Such a call is not made. */
  problem: string | null;
  /** The call as the model wrote it, if that differs. It is sent back to the model, and nothing else reads it. */
  written: WrittenCall | null;
}

/** The planner's answer for one iteration. */
export interface AgentPlan {
  /** The planner's reasoning, shown to the user. May be empty. */
  reasoning: string;
  /** The calls to make, in order. */
  tool_calls: ToolCall[];
  /** A question for the user. The task waits for the answer. */
  question: string | null;
  /** Whether the task is done. Only then is `summary` the final answer. */
  is_complete: boolean;
  /** What was done, for the user. */
  summary: string | null;
  /** Whether the task ends because it needs a model. `summary` then says what is needed. */
  needs_model: boolean;
  /** Data that the provider needs back together with this plan, such as signed reasoning, in the format of the backend that created it. Nothing else reads it. */
  provider_state: string | null;
}

/** The state in which no task is running and nothing is waiting. */
export interface IdleAgent {
  agent: "idle";
}

/** The state that every screen shows. */
export type AgentState =
  /** No task is running and nothing is waiting for a person. */
  | IdleAgent
  /** Some tasks have not ended, or something is waiting for a person. */
  | ActiveAgent;

/** A picture format that browsers and models support. */
export type PictureType =
  /** The format PNG. */
  | "image/png"
  /** The format JPEG. */
  | "image/jpeg"
  /** The format GIF. */
  | "image/gif"
  /** The format WebP. */
  | "image/webp";

/** A picture, stored as a blob. */
export interface PicturePart {
  part: "picture";
  /** The BLAKE3 digest of the picture, which is the key in the blob store. */
  digest: string;
  /** The format, determined from the first bytes. */
  media_type: PictureType;
  /** The size in bytes. */
  size_bytes: number;
  /** The width in pixels, according to the picture's header. */
  width: number;
  /** The height in pixels, according to the picture's header. */
  height: number;
  /** A description of the picture. */
  alt: Phrase;
}

/** A picture inside another part. It is tagged like a separate part, so that all pictures have the same format. */
export type InnerPicture =
  /** A picture, stored as a blob. */
  | PicturePart;

/** A picture of a page before a click, with the target of the click. */
export interface AimedPicture {
  /** The visible part of the page. */
  picture: InnerPicture;
  /** The distance from the left edge of the picture to the element, in pixels. */
  left: number;
  /** The distance from the top edge of the picture to the element, in pixels. */
  top: number;
  /** The width of the element in pixels. */
  width: number;
  /** The height of the element in pixels. */
  height: number;
}

/** Allows a call. */
export interface AllowChoice {
  choice: "allow";
  /** How long the answer applies. The request must offer this lifetime. */
  lifetime: Lifetime;
  /** Whether to choose the wider of two offers with this lifetime. */
  wider: boolean;
  /** The calls to leave out, in the order of the request. Only allowed with the lifetime `once`. Leaving out all of them is not allowed; deny the request instead. */
  dropped: string[];
}

/** Denies a call. */
export interface DenyChoice {
  choice: "deny";
  /** The reason, which the planner receives. May be empty, unless the call is to be changed. */
  reason: Phrase;
  /** Whether the planner is asked to submit the call again, changed as the reason says. Such an answer refuses this call alone, and nothing that the call touches. */
  change: boolean;
}

/** Whether a call may run. */
export type Choice =
  /** The call may run. */
  | AllowChoice
  /** The call may not run. */
  | DenyChoice;

/** A person at the host. */
export interface LocalAnswerer {
  by: "local";
  /** The screen that the person used, e.g. `terminal`. */
  screen: string;
}

/** A person at a paired device. The signature covers these lines, joined by line feeds: `deputy-answer-1`, device, request, digest, choice, `expires_at_ms`, nonce, reason. The choice is `deny`, `change`, `allow once`, `allow names`, `allow task ID`, `allow session ID`, `allow minutes N` or `allow always`. It is `allow wider …` for the wider offer, and `allow once without CALL,CALL` if calls are left out. */
export interface DeviceAnswerer {
  by: "device";
  /** The id of the device. */
  device: string;
  /** The name of the device, filled in by the host. */
  name: string;
  /** The time until which the answer is accepted: at most two minutes ahead on the host's clock. */
  expires_at_ms: number;
  /** A random text of at least 16 characters that is never reused. */
  nonce: string;
  /** The signature in base64url: P-256 with SHA-256, `r` and `s` of 32 bytes each. */
  signature: string;
}

/** A standing consent for requests up to a risk. */
export interface StandingAnswerer {
  by: "standing";
  /** The highest risk that the consent covers. */
  up_to: Risk;
}

/** The request expired without an answer. */
export interface ExpiryAnswerer {
  by: "expiry";
}

/** The request was withdrawn, because the user gave the task an instruction while it waited. */
export interface InstructionAnswerer {
  by: "instruction";
}

/** Who or what answered a permission request. */
export type Answerer =
  /** A person at a terminal or window of the host's own user. */
  | LocalAnswerer
  /** A person at a paired device, which signed the answer. */
  | DeviceAnswerer
  /** A standing consent that the user gave in advance with `--yes`. */
  | StandingAnswerer
  /** The request expired without an answer. */
  | ExpiryAnswerer
  /** The request was withdrawn, because the user gave the task an instruction while it waited. */
  | InstructionAnswerer;

/** An answer to a permission request. */
export interface PermissionAnswer {
  /** The id of the request. */
  request: string;
  /** The digest of what the person saw. */
  digest: string;
  /** Whether the call may run, and for how long the answer applies. */
  choice: Choice;
  /** Who or what answered: a person at the host, a paired device, a standing consent, or the request's expiry. */
  by: Answerer;
}

/** Answers a permission request. */
export interface AnswerPermissionCommand {
  command: "answer_permission";
  /** The answer. */
  answer: PermissionAnswer;
}

/** A person at a paired device. */
export interface DeviceResponder {
  by: "device";
  /** The id of the device. */
  device: string;
  /** The name of the device. */
  name: string;
}

/** Who answered a question. */
export type Responder =
  /** A person at a terminal or window of the host's own user. */
  | LocalAnswerer
  /** A person at a paired device. Answers to questions are not signed; the device is that of the connection. */
  | DeviceResponder;

/** Answers a question. */
export interface AnswerQuestionCommand {
  command: "answer_question";
  /** The id of the question. */
  request: string;
  /** The answer. */
  text: string;
  /** Who answers. The host fills it in from the connection; only a program at the terminal names itself. */
  by: Responder | null;
}

/** Archives a conversation, or restores it. */
export interface ArchiveCommand {
  command: "archive";
  /** The id of any task of the conversation. */
  task: string;
  /** Whether the conversation is archived (true) or restored (false). */
  archived: boolean;
}

/** A person archived the conversation of which this was the newest task, or restored it. */
export interface Archived {
  type: "archived";
  /** Whether the conversation was archived (true) or restored (false). */
  archived: boolean;
}

/** A message from the planner. */
export interface AssistantMessage {
  role: "assistant";
  /** The planner's reasoning or question. May be empty. */
  text: string;
  /** The calls that the planner made. */
  tool_calls: ToolCall[];
  /** Data that the provider needs back with this message, as in the plan. */
  provider_state: string | null;
}

/** The reason why something was refused or failed. Programs should branch on this code alone. */
export type ErrorCode =
  /** The client did not send a hello, or sent another message first. */
  | "no_hello"
  /** The two sides use different versions of the protocol. */
  | "protocol"
  /** A message cannot be parsed, or its id is not valid. */
  | "bad_message"
  /** A command has a field that the host does not know. Nothing was done. */
  | "bad_field"
  /** A WebSocket frame cannot be parsed. */
  | "bad_frame"
  /** The body of a request is not valid. */
  | "bad_body"
  /** The body of a request came too slowly. */
  | "slow_body"
  /** A part of the request path is not valid. */
  | "bad_path"
  /** A query is not valid. */
  | "bad_query"
  /** The header `Last-Event-ID` is not the number of an event. */
  | "bad_event_id"
  /** Nothing exists at this address. */
  | "unknown_path"
  /** This address does not support this method. */
  | "unknown_method"
  /** The request does not prove who sent it. */
  | "no_proof"
  /** The session does not exist. */
  | "bad_session"
  /** The session has ended. */
  | "session_over"
  /** The link was already used or has expired. */
  | "bad_link"
  /** The challenge was already used or has expired. */
  | "bad_challenge"
  /** The signature was not made by this device or does not match the message. */
  | "bad_signature"
  /** The device is not paired. */
  | "unknown_device"
  /** The device was revoked. */
  | "revoked"
  /** A device has to sign this message, but it is not signed. */
  | "unsigned"
  /** The caller is connected but not allowed to do this. */
  | "not_allowed"
  /** The `Host` header of the request names another host. */
  | "foreign_host"
  /** The request comes from a page that is not Deputy's. */
  | "foreign_origin"
  /** The address contains a secret. */
  | "secret_in_address"
  /** Too many attempts from this address failed. */
  | "too_many_attempts"
  /** The client sent messages too fast. */
  | "too_many_messages"
  /** The client received events more slowly than they occurred. */
  | "too_slow"
  /** No request or question with this id is open. */
  | "unknown_request"
  /** The request or question was already answered. */
  | "already_answered"
  /** The answer does not match the current content of the request. */
  | "changed"
  /** The request does not offer this answer. */
  | "not_offered"
  /** The request cannot be allowed without the calls that the answer leaves out. */
  | "cannot_drop"
  /** The request expired, or its task has ended. */
  | "expired"
  /** The signed answer has expired, or its expiry is too far in the future. */
  | "signature_over"
  /** The signature was already used. */
  | "replayed"
  /** The task does not exist. */
  | "unknown_task"
  /** The event does not exist. */
  | "unknown_event"
  /** The grant does not exist. */
  | "unknown_grant"
  /** The task did not make this call. */
  | "unknown_call"
  /** The background command is not running. */
  | "unknown_background"
  /** The call has no such picture, or no output was kept beyond its result. */
  | "unknown_output"
  /** The task has ended. */
  | "task_ended"
  /** The task is not in the queue. */
  | "not_queued"
  /** A task cannot be moved before itself in the queue. */
  | "before_itself"
  /** The text of the task is empty. */
  | "empty_goal"
  /** The text of the task is too long. */
  | "goal_too_long"
  /** The profile does not exist or is not valid. */
  | "profile"
  /** The folder cannot be used as a workspace. */
  | "workspace"
  /** The task's scope is not valid. */
  | "scope"
  /** The file or folder cannot be opened, or must not be. */
  | "cannot_open"
  /** The task's browser cannot be opened in a window. */
  | "cannot_take_browser"
  /** One of your rules denies the operation. */
  | "denied"
  /** The value is not valid for the setting, or the setting cannot be changed from here. */
  | "bad_setting"
  /** The configuration cannot be read or written. */
  | "config"
  /** The backend does not exist. */
  | "unknown_backend"
  /** A required setting of the backend is missing. */
  | "backend_settings"
  /** The backend's key is missing. */
  | "missing_key"
  /** The backend does not answer, or returns an error. */
  | "backend"
  /** The search provider does not exist, or its file cannot be read. */
  | "unknown_search_provider"
  /** The search provider lacks a setting or key, does not answer, or returns an error. */
  | "web_search"
  /** The desktop's keyring failed. */
  | "keyring"
  /** The text is not a valid key. */
  | "bad_key"
  /** The message does not belong to an open pairing. */
  | "bad_pairing"
  /** No pairing was started. */
  | "no_pairing"
  /** The name is not valid for a device. */
  | "bad_name"
  /** Devices cannot connect to this host. */
  | "no_door"
  /** This host serves no page. */
  | "no_page"
  /** The operating system does not provide random numbers. */
  | "no_randomness"
  /** The scan does not exist, or no longer does. */
  | "unknown_scan"
  /** The folders to organize or to index cannot be used, or there are none or too many. */
  | "folders"
  /** The text is not a valid naming convention. */
  | "convention"
  /** The folders could not be scanned. */
  | "scan"
  /** The plan cannot be executed, or its draft cannot be saved. */
  | "draft"
  /** The job does not exist. */
  | "unknown_job"
  /** Another job is working in the same folders. */
  | "job_overlaps"
  /** The job was already undone. */
  | "job_undone"
  /** The job failed, or its journal is damaged. */
  | "job"
  /** The memory does not exist. */
  | "unknown_memory"
  /** The memory was forgotten. */
  | "forgotten"
  /** The text is not valid for a memory. */
  | "bad_text"
  /** The journal is not available. */
  | "store"
  /** The stored data of a task cannot be read. */
  | "task"
  /** The host cannot be reached, sent an unexpected answer, or failed. */
  | "host"
  /** The host is ending and executes no further command. The command can be sent to the next host. */
  | "host_ending"
  /** The command line could not be parsed. */
  | "usage"
  /** The input, typed or from standard input, cannot be read or answered. */
  | "input"
  /** Some of the output could not be written. */
  | "output"
  /** Your home folder cannot be determined. */
  | "no_home"
  /** Deputy's folder cannot be used. */
  | "home"
  /** Other users can change Deputy's folder. */
  | "unsafe_home"
  /** No host is running for this home. */
  | "no_host"
  /** Another process already serves this home. */
  | "already_served"
  /** The socket of the host cannot be used. */
  | "socket"
  /** The page cannot be served at this address. */
  | "listen"
  /** The address of the page is not a loopback address. */
  | "not_loopback"
  /** Another program is using this port. */
  | "port_in_use"
  /** The operating system did not provide a thread or a signal handler. */
  | "runtime"
  /** The setting is not set. */
  | "not_set"
  /** Your `rules.toml` cannot be used. */
  | "rules"
  /** Files changed since the job, so it was not undone. */
  | "conflict"
  /** The pairing ended without a device. */
  | "pairing_over"
  /** Starting at login cannot be enabled or disabled. */
  | "login"
  /** The page could not send the message because the host is gone. */
  | "not_sent"
  /** Something failed in the page or its window. */
  | "page"
  /** A code from a newer version that this version does not know. The message and hints say what happened. */
  | "unknown";

/** An error, as sent to clients. Programs should branch on `code` alone. */
export interface ErrorBody {
  /** The error code, for programs. */
  code: ErrorCode;
  /** What was tried, on what, and why it failed. */
  message: Phrase;
  /** What to do next. */
  hints: Phrase[];
}

/** The result of one check. */
export interface Finding {
  /** The name of the check. */
  name: string;
  /** Whether the check passed. */
  ok: boolean;
  /** What was found and, if the check failed, what to do. */
  message: Phrase;
}

/** The result of checking a backend. */
export interface BackendCheck {
  answer: "backend_check";
  /** The name of the backend. */
  backend: string;
  /** Why the backend cannot be used. Absent if it can. */
  problem: ErrorBody | null;
  /** The models that the provider offers. */
  models: string[];
  /** Whether the configured model can call tools. Absent if no model is used or the backend cannot be used. */
  tools: Finding | null;
  /** How long the answer took, in milliseconds. */
  took_ms: number;
}

/** A backend that a task may use. */
export interface BackendChoice {
  /** The name of the backend. */
  name: string;
  /** The configured model. Absent if none is configured. */
  model: string | null;
  /** What is missing before the backend can be used. The keyring is not searched for a key. Absent if nothing is known to be missing. */
  problem: ErrorBody | null;
}

/** The environment variable that usually contains the key for a host. The key is only sent to that host. */
export interface UsualKey {
  /** The host that the key is for. */
  host: string;
  /** The name of the environment variable. */
  variable: string;
}

/** What a check asks a backend. */
export type Probe =
  /** The list of models that the provider offers. */
  | "models";

/** An address that is commonly used. */
export interface Preset {
  /** The display name of the provider at the address. */
  label: string;
  /** The address. */
  address: string;
}

/** The type of a setting's value. */
export type SettingKind =
  /** A line of text. */
  | "text"
  /** The address of a server. The backend's key belongs to this address. */
  | "address"
  /** The name of a model. A check can list the possible models. */
  | "model"
  /** A number. */
  | "number"
  /** On or off. */
  | "switch"
  /** One of several words. */
  | "choice"
  /** A table of names with texts. */
  | "table";

/** A setting of a backend. */
export interface BackendSetting {
  /** The name of the setting in `config.toml`. */
  name: string;
  /** The display name of the setting. */
  label: Phrase;
  /** The type of the value. */
  kind: SettingKind;
  /** The value that applies if the setting is not set. Absent if there is no default. */
  default: unknown;
  /** Whether the backend only works after the setting is set. */
  required: boolean;
  /** Whether the setting can only be changed in the file or with `deputy config set`. */
  advanced: boolean;
  /** The possible values. Only used for the kind `choice`. */
  choices: string[];
  /** A hint for people about the setting. */
  hint: Phrase;
}

/** What a backend declares in its file. The file is the only source of this information. */
export interface BackendForm {
  /** The display name of the backend. */
  label: Phrase;
  /** The description of the backend, in one sentence. */
  summary: Phrase;
  /** Whether the backend can use a key. */
  takes_key: boolean;
  /** The environment variables that usually contain keys, each with the host that its key is for. */
  usual_keys: UsualKey[];
  /** What a check asks the backend. If absent, a check only loads the backend with its settings. */
  probe: Probe | null;
  /** The address of the backend's server on the local machine, with `{port}` as a placeholder. Deputy looks for such servers. Absent if the backend does not run locally. */
  local_address: string | null;
  /** Addresses that are commonly used. */
  presets: Preset[];
  /** The settings of the backend, in the order in which to ask for them. */
  settings: BackendSetting[];
}

/** A backend with its settings. It is part of every request, so that a restart of the sidecar loses no settings. */
export interface BackendRef {
  /** The name of the backend. */
  name: string;
  /** The settings of the backend from `config.toml`, e.g. `base_url`, `model`, `timeout_secs`. */
  settings: Record<string, unknown>;
}

/** A kind of place for a key. */
export type KeyPlaceKind =
  /** An environment variable of the host's process. */
  | "variable"
  /** The desktop's keyring. */
  | "keyring";

/** The place where a key is looked up. The key itself is never sent to a screen. */
export interface KeyPlace {
  /** The kind of place. */
  kind: KeyPlaceKind;
  /** The name of the environment variable or the keyring entry. */
  name: string;
}

/** The settings of a backend. */
export interface BackendSettings {
  /** The name of the backend. */
  name: string;
  /** Whether the backend is built in. Otherwise it is a file of the user. */
  shipped: boolean;
  /** What the backend's file declares. Absent if it declares nothing. */
  form: BackendForm | null;
  /** The values that are set, by the name of the setting. Only settings that a screen may change are included. */
  values: Record<string, string>;
  /** The address of the backend's server. Absent if it is not set. */
  base_url: string | null;
  /** The model of the backend. Absent if it is not set. */
  model: string | null;
  /** Where the backend's key is looked up. Absent if no key is expected. */
  key: KeyPlace | null;
}

/** Why a background command ended. */
export type BackgroundEnd =
  /** The command exited. */
  | "exited"
  /** The task stopped the command. */
  | "stopped_by_task"
  /** The user stopped the command. */
  | "stopped_by_user"
  /** The command's task ended. */
  | "task_ended"
  /** The command reached the limit `limits.background_secs`. */
  | "time_limit"
  /** Deputy was restarted. The command ended with the process that had started it. */
  | "host_restarted";

/** The complete output of a command, stored next to the journal. It contains both streams in the order in which they were written. */
export interface KeptOutput {
  /** The BLAKE3 digest of the text, which is the key in the blob store. */
  digest: string;
  /** The size of the text in bytes. */
  size_bytes: number;
  /** The number of further bytes that were not kept, because `limits.command_output_mib` was reached. */
  omitted_bytes: number;
}

/** A regular file, identified by its content. */
export interface KeptFile {
  kind: "file";
  /** The BLAKE3 digest of the content, which is the key in the blob store. */
  digest: string;
  /** The size in bytes. */
  size_bytes: number;
  /** The permission bits, as in `0o644`. */
  mode: number;
}

/** What is known of a folder with build output. Undo removes such a folder if the call created it. */
export interface BuildOutputState {
  /** The number of files in it that changed since the task began. */
  files: number;
  /** When this was found, in milliseconds since 1970. A file that changed later was not changed by the call. */
  at_ms: number;
}

/** A folder. */
export interface KeptFolder {
  kind: "folder";
  /** The permission bits, as in `0o755`. Absent if they do not matter. */
  mode: number | null;
  /** If programs made the folder: what is known of the files in it, whose contents are not kept. Absent for other folders. */
  output: BuildOutputState | null;
}

/** A symbolic link, identified by its target. */
export interface KeptLink {
  kind: "link";
  /** The target path, exactly as stored in the link. */
  target: string;
}

/** A pipe, socket or device. */
export interface SpecialFile {
  kind: "special";
  /** `pipe`, `socket` or `device`. */
  what: string;
}

/** Something that was not copied and cannot be restored. */
export interface UnkeptFile {
  kind: "unkept";
}

/** The state of a path. */
export type FileState =
  /** Nothing exists at the path. */
  | AbsentFile
  /** A regular file, whose content is kept as a blob. */
  | KeptFile
  /** A folder. */
  | KeptFolder
  /** A symbolic link. Only its target path is kept; the link is never followed. */
  | KeptLink
  /** A pipe, socket or device. It has no content, and undo can only remove it. */
  | SpecialFile
  /** Something that cannot be restored, such as a file that was not copied. */
  | UnkeptFile;

/** A time as file systems store it. */
export interface FileTime {
  /** Seconds since 1970. */
  secs: number;
  /** Nanoseconds of that second. */
  nanos: number;
}

/** A change of one file or folder by a call. Its previous state is journaled before the change. */
export interface FileChange {
  /** The absolute path. */
  path: string;
  /** The state of the path before the change. */
  before: FileState;
  /** The state of the path after the change. */
  after: FileState;
  /** When the file of `before` was last modified, which undo restores with a file that was removed or moved. Absent if it was no file. */
  before_modified: FileTime | null;
}

/** A git repository that a command changed. */
export interface ChangedRepository {
  /** The real path of the folder in which git keeps its data. */
  folder: string;
  /** The blob with the states before and after the command: HEAD, the index, the stash and everything that has references, file by file. */
  states: string;
}

/** An access by a command that the sandbox refused. */
export interface RefusedAttempt {
  /** The kind of access. */
  operation: AttemptKind;
  /** The absolute path of the target. */
  path: string;
  /** Why the access was refused. */
  why: Phrase;
}

/** A background command and all processes that it started have ended. */
export interface BackgroundEnded {
  type: "background_ended";
  /** The id of the command. */
  background: string;
  /** The call that started the command. */
  call: string;
  /** Why the command ended. */
  why: BackgroundEnd;
  /** The exit code of the command. Absent if the command was killed. */
  exit_code: number | null;
  /** One line for people and the planner, e.g. `exit code 1 after 3.2 s`. */
  message: Phrase;
  /** The end of the command's output. */
  tail: string;
  /** The complete output. Absent if `tail` contains all of it. */
  kept: KeptOutput | null;
  /** The files that changed since the command started, for undo. */
  changes: FileChange[];
  /** The git repositories that changed since the command started, for undo. */
  repositories: ChangedRepository[];
  /** The accesses that the sandbox refused, as far as it recorded them. */
  refused: RefusedAttempt[];
}

/** A command keeps running in the background while the task continues. */
export interface BackgroundStarted {
  type: "background_started";
  /** The id of the command within its task: `b1`, `b2`, ... */
  background: string;
  /** The call that started the command. Live output of the command arrives as progress of this call. */
  call: string;
  /** The command, with control characters escaped. */
  command: string;
  /** The real path of the folder that the command runs in. */
  cwd: string;
  /** What the operating system allows the command to do. */
  confinement: Confinement;
  /** Whether the command runs in the task's private loopback network, which later commands of the task share. */
  own_network: boolean;
  /** The blob that lists the files from before the start. Absent if the command may not write anything. */
  manifest: string | null;
}

/** The place directly before another task. */
export interface BeforePlace {
  place: "before";
  /** The other task, which must be queued too. */
  task: string;
}

/** The planner's system text, tools or earlier tasks changed. Written for a step if they differ from the step before. */
export interface Briefed {
  type: "briefed";
  /** The blob of the system text. */
  system: string;
  /** The blob of the tools, as JSON. */
  tools: string;
  /** The blob of the earlier tasks of the conversation, as JSON. Absent if there are none. */
  earlier: string | null;
  /** The groups of functions that the planner has from the start, decided before the first step. Absent in events of earlier versions, which had no groups. */
  groups: string[] | null;
}

/** Who is using a browser. */
export type BrowserUser =
  /** No browser is open. */
  | "nobody"
  /** The task is using the browser. */
  | "task"
  /** A person is using the browser in a window. The task's browser calls wait. */
  | "person";

/** The current state of a task's browser. */
export interface BrowserAnswer {
  answer: "browser";
  /** Who is using the browser. */
  used_by: BrowserUser;
  /** The address of the page that is open. Absent if there is none. */
  url: string | null;
  /** Whether the host runs on a desktop, so that a window can be opened. */
  has_display: boolean;
}

/** Asks for the current state of a task's browser. */
export interface BrowserQuery {
  query: "browser";
  /** The id of the task. */
  task: string;
}

/** A person returned the browser to the task. */
export interface BrowserReturned {
  type: "browser_returned";
  /** The address of the page that the browser showed at that time. Absent if there was none. */
  url: string | null;
}

/** A person took over the task's browser. */
export interface BrowserTaken {
  type: "browser_taken";
  /** The address of the page that the browser showed. Absent if there was none. */
  url: string | null;
}

/** A limit that pauses a task. */
export type BudgetLimit =
  /** The running time, `max_wall_secs`. */
  | "time"
  /** The tokens of the task, `max_tokens`. */
  | "tokens"
  /** The cost of the task, `max_cost_cents`. */
  | "cost"
  /** The limit `max_cost_cents` cannot be enforced because the price of the model is unknown. */
  | "unknown_price"
  /** The tokens of all tasks in a day, `day_tokens`. */
  | "day_tokens"
  /** The cost of all tasks in a day, `day_cost_cents`. */
  | "day_cost";

/** A limit of time or money that a task reached, with what the task used and did. */
export interface BudgetReached {
  /** The limit that was reached. */
  limit: BudgetLimit;
  /** The number of tokens that count against the limit. */
  tokens: number;
  /** The cost of the counted tokens in millionths of the currency, as far as their price is known. */
  cost_micros: number;
  /** The time that the task worked, in seconds. */
  worked_secs: number;
  /** The number of the task's steps. */
  steps: number;
  /** The number of files that the task changed. */
  files: number;
  /** The number of the task's calls that changed something. */
  calls: number;
}

/** A folder with what programs make, such as build output and caches. */
export interface BuiltFolder {
  /** Its absolute path. */
  folder: string;
  /** The number of files in it that changed. */
  files: number;
}

/** The decision of policy on a whole call. */
export interface Verdict {
  /** The strictest decision of all parts. */
  decision: Decision;
  /** The highest risk of all parts. */
  risk: Risk;
  /** The reasons in plain words, strictest first, without repetition. */
  reasons: Phrase[];
  /** What the operating system will allow the call to do if it runs. */
  confinement: Confinement;
  /** The parts of the call (simple commands, paths and hosts), each with its own decision. */
  parts: Part[];
}

/** The effect of running a call twice. It decides what happens to a call that was interrupted by a crash. */
export type Effect =
  /** The call changes nothing. It may run in parallel with others, and again after a crash. */
  | "read_only"
  /** Running the call twice has the same effect as running it once. */
  | "idempotent"
  /** Running the call twice may do harm. It is never run again without asking a person. */
  | "mutating";

/** Policy decided on a call. */
export interface CallDecided {
  type: "call_decided";
  /** The call. */
  call: string;
  /** The decision with its reasons. */
  verdict: Verdict;
  /** The effect of running the call twice. */
  effect: Effect;
  /** What the call does, for people. */
  summary: Phrase;
  /** The digest that the decision is bound to. */
  digest: string;
  /** The grant that allowed or denied the call. Absent if no grant did. */
  grant: string | null;
}

/** How a call ended. */
export type CallStatus =
  /** The call succeeded. */
  | "ok"
  /** The call ran and failed, or could not run. The result's `content` says why. */
  | "failed"
  /** Policy or a person denied the call. The result's `content` says why. */
  | "denied"
  /** The call was ended by a stop or a timeout. */
  | "cancelled"
  /** The process died during the call. The call may or may not have taken effect. */
  | "unknown";

/** The parameters of `$/cancel`. */
export interface CancelParams {
  /** The id of the request to cancel. The request is answered with the error `cancelled`. */
  id: number;
}

/** The challenge that the server sends first on a connection that has to be authenticated. */
export interface Challenge {
  type: "challenge";
  /** A random text that is valid once. A device signs it. */
  challenge: string;
  /** The server's current time, against which every expiry is checked. */
  now_ms: number;
}

/** A change of one setting. */
export interface SettingChange {
  /** The key of the setting in the file, e.g. `limits.max_iterations`. */
  key: string;
  /** The new value, as text. If absent, the setting is removed, so that the default applies. */
  value: string | null;
}

/** Changes settings: all of them, or none if one of the values is not valid. */
export interface ChangeSettingsCommand {
  command: "change_settings";
  /** The changes. */
  changes: SettingChange[];
}

/** What was done to a file. */
export type FileDeed =
  /** It did not exist before. */
  | "created"
  /** It has another content or mode. */
  | "changed"
  /** It does not exist any more. */
  | "removed"
  /** It has another path and the same content. */
  | "moved";

/** The lines of a changed text. */
export interface ChangedLines {
  /** The number of lines that were added. */
  added: number;
  /** The number of lines that were removed. */
  removed: number;
}

/** What a task did to a file, from before its first change to after its last one. */
export interface ChangedFile {
  /** The absolute path. */
  path: string;
  /** What was done. */
  deed: FileDeed;
  /** The absolute path from which it was moved. Absent if it was not moved. */
  moved_from: string | null;
  /** The number of lines that were added and removed. Absent if it is not a text, or is too long. */
  lines: ChangedLines | null;
}

/** Asks a backend's provider for its models. */
export interface CheckBackendQuery {
  query: "check_backend";
  /** The name of the backend. */
  backend: string;
}

/** Searches the web once with the configured provider, to check it. */
export interface CheckSearchQuery {
  query: "check_search";
}

/** A profile that a task may use. */
export interface ProfileChoice {
  /** The name of the profile. */
  name: string;
  /** A description in one line, for lists. Empty if the profile's file cannot be read. */
  description: Phrase;
}

/** The limits of a task. `0` means no limit, except for `tool_output_chars`. A limit that is missing in an older journal has its default. */
export interface Limits {
  /** The maximum number of plan-execute-observe cycles. After that, the planner answers once more and the task stops with `iteration_limit`. */
  max_iterations: number;
  /** The maximum running time in seconds, without the time spent waiting for a person. After that, the task pauses. */
  max_wall_secs: number;
  /** The maximum number of tokens over all plans. After that, the task pauses. */
  max_tokens: number;
  /** The maximum cost of all plans, in hundredths of the currency. After that, the task pauses. */
  max_cost_cents: number;
  /** The maximum number of tokens of all tasks in a day. After that, each task pauses. The value configured when a plan is due applies. */
  day_tokens: number;
  /** The maximum cost of all tasks in a day, in hundredths of the currency. After that, each task pauses. The value configured when a plan is due applies. */
  day_cost_cents: number;
  /** The maximum number of tokens that one call of `python_inference` may use. */
  inference_tokens: number;
  /** The maximum number of characters of a result that the planner sees. */
  tool_output_chars: number;
  /** The maximum number of tokens in one request to the model. Before it is reached, older steps are replaced by a summary. */
  context_tokens: number;
  /** The number of seconds after which an unanswered permission request counts as denied. */
  request_expiry_secs: number;
  /** How many times in a row the same call may repeat or fail, or calls may be denied, before the user is asked. */
  brake_after: number;
  /** The maximum number of read-only calls that run at the same time. */
  parallel_calls: number;
  /** The maximum running time of one command, in seconds. */
  command_secs: number;
  /** The time limit, in seconds, of a command whose call does not specify one. */
  command_default_secs: number;
  /** The maximum CPU time of each process of a command, in seconds. */
  command_cpu_secs: number;
  /** The maximum private memory of each process of a command, in MiB. */
  command_memory_mib: number;
  /** The maximum number of processes and threads of a command. */
  command_processes: number;
  /** The maximum size of a file that a command may write, in MiB. */
  command_file_mib: number;
  /** The maximum output of a command that is kept, in MiB. Further output is only counted. */
  command_output_mib: number;
  /** The maximum number of background commands of a task that run at the same time. */
  background_commands: number;
  /** The maximum running time of a background command, in seconds. */
  background_secs: number;
}

/** The choices for a new task, and the defaults. */
export interface Choices {
  /** The backend of a task that does not name one. */
  backend: string;
  /** The profile of a task that does not name one. */
  profile: string;
  /** All backends: the built-in ones, then the user's own. */
  backends: BackendChoice[];
  /** All profiles: the built-in ones, then the user's own. */
  profiles: ProfileChoice[];
  /** The configured limits. A profile may lower them. */
  limits: Limits;
  /** The existing folders in which people usually keep their files. */
  folders: string[];
}

/** The choices for a new task. */
export interface ChoicesAnswer {
  answer: "choices";
  /** The host's current choices. */
  choices: Choices;
}

/** Asks for the choices for a new task. */
export interface ChoicesQuery {
  query: "choices";
}

/** What a task may touch. If all lists are empty, only the workspace is special. */
export interface Scope {
  /** Folders that the task may read in addition to the workspace. */
  read: string[];
  /** Folders and files that the task may propose to change. Empty means the workspace. A sub-task's need not exist. */
  write: string[];
  /** Whether the task may change nothing. */
  read_only: boolean;
  /** If not empty, the only files, and folders with all that is in them, that the task may touch. */
  only_files: string[];
  /** If not empty, the task may only touch files that have one of these tags. */
  only_tags: string[];
  /** The naming convention for files in the task's plans, written as an example. Absent if any name is allowed. */
  names: string | null;
}

/** What approved commands take over from the terminal in which their task was started, because the host may have been started elsewhere. */
export interface Terminal {
  /** The value of `PATH`. */
  path: string;
  /** The active Python environment: the value of `VIRTUAL_ENV`. */
  virtual_env: string | null;
}

/** Starts a task. */
export interface StartCommand {
  command: "start";
  /** What the user wants. */
  goal: string;
  /** The absolute path of the folder to work in. */
  workspace: string;
  /** The name of the profile. If absent, the configured default is used. */
  profile: string | null;
  /** The name of the backend. If absent, the configured default is used. */
  backend: string | null;
  /** The model of the backend. If absent, the configured model is used. */
  model: string | null;
  /** The conversation to continue. If absent, a new one starts. */
  session: string | null;
  /** The task that this task continues. The new task belongs to the same conversation and has the same scope. */
  after: string | null;
  /** What the task may touch in addition to the workspace. If it is empty, a task in an existing conversation has the scope of the newest task before it. It must be empty if `after` is set. */
  scope: Scope;
  /** Overrides the profile's limit of iterations. 0 means no limit. */
  max_iterations: number | null;
  /** Overrides the profile's limit of running time, in seconds. 0 means no limit. */
  max_wall_secs: number | null;
  /** Overrides the profile's limit of tokens. 0 means no limit. */
  max_tokens: number | null;
  /** Overrides the profile's limit of cost, in hundredths of the currency. 0 means no limit. */
  max_cost_cents: number | null;
  /** Permission requests up to this risk count as allowed once. If absent, a person is always asked. */
  standing_consent: Risk | null;
  /** The terminal in which the user starts the task. If absent, a task in an existing conversation has the terminal of the newest task before it. Ignored if the command comes from another device. */
  terminal: Terminal | null;
}

/** Ends a task. */
export interface StopCommand {
  command: "stop";
  /** The id of the task. */
  task: string;
}

/** Pauses a task. */
export interface PauseCommand {
  command: "pause";
  /** The id of the task. */
  task: string;
}

/** Resumes a task. */
export interface ResumeCommand {
  command: "resume";
  /** The id of the task. */
  task: string;
}

/** The first place in the queue. */
export interface FirstPlace {
  place: "first";
}

/** The last place in the queue. */
export interface LastPlace {
  place: "last";
}

/** A place in the queue of tasks. */
export type QueuePlace =
  /** Before all other tasks, so that the task starts next. */
  | FirstPlace
  /** Directly before another task. */
  | BeforePlace
  /** After all other tasks. */
  | LastPlace;

/** Moves a queued task to another place in the queue. */
export interface MoveInQueueCommand {
  command: "move_in_queue";
  /** The id of the task. */
  task: string;
  /** The new place in the queue. */
  to: QueuePlace;
}

/** Renames a conversation. */
export interface RenameCommand {
  command: "rename";
  /** The id of any task of the conversation. */
  task: string;
  /** The title, in one line. If absent, the first text of the conversation serves as the title. */
  title: string | null;
}

/** Starts a new conversation with the contents of another one, up to a step. */
export interface ForkCommand {
  command: "fork";
  /** The task that contains the step. Earlier tasks of its conversation are included. */
  task: string;
  /** The last step that is included. If absent, it is the newest step that has ended. Files are not reset. */
  step: number | null;
  /** What to do next. */
  text: string;
}

/** A task as it was submitted. A `TaskSpec` never changes. */
export interface TaskSpec {
  /** The id of the task. */
  id: string;
  /** The id of the conversation that the task belongs to. */
  session: string;
  /** What the user wants, in their own words. */
  goal: string;
  /** The name of the profile that the task runs with. */
  profile: string;
  /** The name of the backend that plans the task. */
  backend: string;
  /** The model that plans the task. Absent if it is the backend's configured model. */
  model: string | null;
  /** The real path of the workspace: the working directory, which the task may read. */
  workspace: string;
  /** The files and folders that the task may touch. */
  scope: Scope;
  /** The limits at which the task stops or pauses. */
  limits: Limits;
  /** The risk up to which permission requests count as answered `allow once` in advance (`--yes`). */
  standing_consent: Risk | null;
  /** The call of the parent task that delegated this task. Absent unless the task is a sub-task. */
  parent: ParentCall | null;
  /** The terminal in which the user started the task. Absent if it was started on a screen. */
  terminal: Terminal | null;
}

/** The task was submitted. */
export interface Created {
  type: "created";
  /** The task as it was submitted. */
  spec: TaskSpec;
  /** A warning for the user before anything runs: the workspace is the home folder, or contains it. Absent otherwise. */
  notice: string | null;
  /** The real paths of the files and folders that the goal names. The task may read them. Resolved when it was typed. */
  named: string[];
}

/** A person moved a queued task to another place in the queue. */
export interface QueueMoved {
  type: "queue_moved";
  /** The new place of the task. */
  rank: string;
}

/** A person renamed the conversation that starts with this task. */
export interface Renamed {
  type: "renamed";
  /** The title. If absent, the first text of the conversation serves as the title. */
  title: string | null;
}

/** An iteration of the task started. */
export interface IterationStarted {
  type: "iteration_started";
  /** The number of the iteration, from 1. */
  iteration: number;
}

/** The number of tokens that requests to a model used. */
export interface Usage {
  /** Input tokens, including those from the provider's cache. */
  input_tokens: number;
  /** Output tokens, including reasoning tokens. */
  output_tokens: number;
  /** The part of the input tokens that came from the provider's cache. */
  cached_tokens: number;
  /** The part of the output tokens that the model spent on reasoning. */
  reasoning_tokens: number;
}

/** The planner answered. */
export interface Planned {
  type: "planned";
  /** The plan. Its calls have the ids that the core assigned. */
  plan: AgentPlan;
  /** The tokens that the plan used. */
  usage: Usage;
  /** The time from request to answer, in milliseconds. */
  duration_ms: number;
  /** The model that was configured at the time. Absent if the backend names none. */
  model: string | null;
  /** The backend that answered. Absent if it was the task's own backend. */
  backend: string | null;
  /** The cost of the plan, in millionths of the currency. Absent if the price is unknown. */
  cost_micros: number | null;
}

/** Why a backend did not answer. The codes are stable. */
export type PlanErrorCode =
  /** The key is missing, wrong, or lacks the permission. */
  | "auth"
  /** There were too many requests. `retry_after_secs` says when to retry. */
  | "rate_limited"
  /** The conversation is too long for the model. */
  | "context_overflow"
  /** The provider cannot be reached, is too slow, or closed the connection. */
  | "network"
  /** The provider's answer is not valid. */
  | "bad_response"
  /** The provider does not have the model. */
  | "model_missing"
  /** The core cancelled the request. */
  | "cancelled"
  /** The name or the settings of the backend are not valid. */
  | "bad_settings"
  /** The sidecar died or does not start. */
  | "sidecar"
  /** A bug in the sidecar or in a backend file. */
  | "internal";

/** The usage of a request whose answer could not be used. */
export interface SpentInVain {
  /** The backend that was asked. */
  backend: string;
  /** The model that was asked. Absent if the backend names none. */
  model: string | null;
  /** The tokens that the provider counted. */
  usage: Usage;
  /** The cost in millionths of the currency, by the prices at the time. Absent if the price is unknown. */
  cost_micros: number | null;
}

/** A wait that a model's provider asked for. */
export interface ProviderWait {
  /** When the wait ends. */
  until_ms: number;
  /** The backend that is asked again then, as `backend` or `backend/model`. */
  backend: string;
}

/** The planner did not answer. */
export interface PlanFailed {
  type: "plan_failed";
  /** The error code. */
  code: PlanErrorCode;
  /** What went wrong and what to do next, for people. */
  message: Phrase;
  /** How many times in a row the planner has failed, from 1. */
  attempt: number;
  /** The time in milliseconds until the planner is asked again. Absent if it is not asked again automatically. */
  retry_in_ms: number | null;
  /** The backend that is asked instead, as `backend` or `backend/model`. Absent if the same backend is asked. */
  next_backend: string | null;
  /** The tokens that the failed request used. Absent if the provider did not count them. */
  spent: SpentInVain | null;
  /** The time until which the provider wants no request. The task waits for it and then asks again. Absent if the provider named no time. */
  wait: ProviderWait | null;
}

/** Older steps were replaced by a summary in what the planner reads. The journal keeps all of them. */
export interface Compacted {
  type: "compacted";
  /** The last iteration that the summary covers. */
  through_iteration: number;
  /** The number of messages that the summary replaces. */
  messages: number;
  /** The summary that the planner reads instead of the messages. */
  summary: string;
}

/** The start block was added to the conversation: the date, the system, the folder and what is allowed. */
export interface Oriented {
  type: "oriented";
  /** The text, as the planner reads it after the goal. */
  text: string;
}

/** An earlier task as notes tell about it. */
export interface NotedTask {
  /** The id of the task. */
  task: string;
  /** Whether the notes say that everything it changed was undone. */
  undone: boolean;
}

/** The planner was given notes of earlier tasks. */
export interface Noted {
  type: "noted";
  /** The text of the notes. */
  text: string;
  /** Whether the notes come directly after the goal. Otherwise they come after the conversation so far. */
  at_start: boolean;
  /** The earlier tasks that the notes tell about, for a correction if one is undone later. */
  about: NotedTask[];
}

/** A folder with guidance files. */
export interface GuidanceFolder {
  /** The real path of the folder. */
  folder: string;
  /** The guidance files in the folder: `AGENTS.md`, and skills by name. */
  files: string[];
}

/** Folders with guidance files were found that the user has not decided on. */
export interface GuidanceFound {
  type: "guidance_found";
  /** The folders. */
  folders: GuidanceFolder[];
}

/** The text of a guidance file. */
export interface GuidanceText {
  /** The path of the file. */
  path: string;
  /** The content of the file. */
  text: string;
}

/** A skill. Every request to the model includes its description; its text is only included after the planner asks for it. */
export interface Skill {
  /** The name of the skill. */
  name: string;
  /** What the skill is for. */
  description: string;
  /** The path of its `SKILL.md`. */
  path: string;
}

/** The user's guidance that the planner is given, as it was when the task started. */
export interface Guided {
  type: "guided";
  /** The texts, most general first. */
  texts: GuidanceText[];
  /** The skills that the planner may ask for. */
  skills: Skill[];
}

/** The state of a step of a to-do list. */
export type TodoState =
  /** The step has not been started. */
  | "pending"
  /** The step is in progress. */
  | "active"
  /** The step is done. */
  | "done"
  /** The step is no longer needed. */
  | "dropped";

/** A step of a to-do list. */
export interface TodoStep {
  /** What has to be done, in a few words. */
  title: string;
  /** The state of the step. */
  state: TodoState;
}

/** The planner wrote or updated its to-do list. */
export interface TodoChanged {
  type: "todo_changed";
  /** The call that changed the list. */
  call: string;
  /** All steps, in order. */
  steps: TodoStep[];
}

/** A call delegated work to sub-tasks. The task waits until the sub-tasks or the call end. The event is written again if the call runs again after a crash. */
export interface SubtasksStarted {
  type: "subtasks_started";
  /** The call that delegated the work. */
  call: string;
  /** The ids of the sub-tasks, in the order of the call. */
  tasks: string[];
}

/** The sub-tasks of a call ended. Their usage counts against the limits of the task that delegated them. Their own journals contain usage and prices in detail. */
export interface SubtasksEnded {
  type: "subtasks_ended";
  /** The call that delegated the work. */
  call: string;
  /** The files that the sub-tasks changed, according to their journals. */
  files: string[];
  /** The number of tokens that the sub-tasks used. */
  tokens: number;
  /** The cost of the sub-tasks' tokens, in millionths of the currency. It covers only the tokens whose price is known; absent if none is. */
  cost_micros: number | null;
  /** Whether the price of some of the tokens is unknown. */
  is_unpriced: boolean;
  /** How long the calls of the sub-tasks ran, in milliseconds. */
  active_ms: number;
}

/** A person switched the task to another backend or model. */
export interface ModelSwitched {
  type: "model_switched";
  /** The backend that plans the task from now on. */
  backend: string;
  /** The model that plans the task from now on. Absent if it is the backend's configured model. */
  model: string | null;
}

/** A second model reviewed a call that a grant, a rule or a standing consent would have allowed. The review can only cause a person to be asked; it cannot allow or deny a call. */
export interface Reviewed {
  type: "reviewed";
  /** The call that was reviewed. */
  call: string;
  /** The backend that reviewed the call. */
  backend: string;
  /** The model that reviewed the call. Absent if the backend names none. */
  model: string | null;
  /** Whether a person has to be asked. */
  asks: boolean;
  /** The reason, in the model's words, or the error if the review failed. */
  reason: Phrase;
  /** The tokens that the review used. */
  usage: Usage;
  /** The cost of the review, in millionths of the currency. Absent if the price is unknown. */
  cost_micros: number | null;
}

/** A call asked a model about texts. The event is written when the call ends; its totals include what the call asked before a crash. */
export interface Inferred {
  type: "inferred";
  /** The call. */
  call: string;
  /** The backend that was asked. */
  backend: string;
  /** The model that was asked. Absent if the backend names none. */
  model: string | null;
  /** The number of answers that the model gave. */
  answers: number;
  /** The tokens that the answers used. */
  usage: Usage;
  /** The cost of the answers, in millionths of the currency. Absent if the price is unknown. */
  cost_micros: number | null;
}

/** A call is waiting for a person's permission. */
export interface PermissionRequested {
  type: "permission_requested";
  /** The permission request. */
  request: PermissionRequest;
  /** The real paths that the call would change or that its command names. If the request is denied, the task is asked again about everything that would change them. */
  touches: string[];
}

/** A permission request was answered. */
export interface PermissionAnswered {
  type: "permission_answered";
  /** The id of the request. */
  request: string;
  /** The id of the call that was asked about. */
  call: string;
  /** The digest that the answer is bound to. */
  digest: string;
  /** Whether the call may run, and for how long the answer applies. */
  choice: Choice;
  /** Who or what answered: a person at the host, a paired device, a standing consent, or the request's expiry. */
  by: Answerer;
}

/** A call was denied because a person denied an identical open request. The person is not asked twice. */
export interface RefusalShared {
  type: "refusal_shared";
  /** The call that is denied. */
  call: string;
  /** The digest that both calls are bound to. */
  digest: string;
  /** The request that was denied. */
  request: string;
  /** The task that made the request. It may be another task. */
  asked_by: string;
  /** The reason in the person's words. Empty if the person gave none. */
  reason: Phrase;
  /** The person or device that denied the request. */
  by: Answerer;
}

/** A call is about to run. */
export interface ToolStarted {
  type: "tool_started";
  /** The call. */
  call: string;
  /** The digest of what runs. It is equal to the digest that was decided on. */
  digest: string;
  /** The effect of running the call twice. */
  effect: Effect;
}

/** A file is about to be changed, and its current content was saved. */
export interface FileKept {
  type: "file_kept";
  /** The call that changes the file. */
  call: string;
  /** The state of the file before and after the change. */
  change: FileChange;
}

/** The commit that a repository was at. */
export interface RepositoryHead {
  /** The absolute path of the repository's working folder. */
  folder: string;
  /** The id of the commit. */
  commit: string;
}

/** Everything that a command could change was saved. The changes that the command did make are in the call's result. They are computed from the manifest when the call ends, or when the next process resumes the task. */
export interface TreeKept {
  type: "tree_kept";
  /** The call that runs the command. */
  call: string;
  /** The blob that lists the files from before the command. It is deleted once the changes are in the journal. */
  manifest: string;
  /** The number of files whose content was saved. */
  files: number;
  /** The total size of the saved files in bytes. */
  bytes: number;
  /** The commits that the repositories of the folder were at when the task began. What they ignored decides for the whole task what is build output. Empty in older journals. */
  heads: RepositoryHead[];
}

/** The output of a command, which is in the text of its result. The middle of a long output is omitted there. */
export interface CommandOutput {
  /** Whether the command wrote nothing to its standard output and standard error. */
  is_empty: boolean;
  /** The complete output. Absent if the result shows all of it. */
  kept: KeptOutput | null;
}

/** An additional text. */
export interface TextPart {
  part: "text";
  /** The text. It is untrusted, like the whole result. */
  text: string;
  /** The source of the text, e.g. an address. Empty if it is the call itself. */
  origin: string;
}

/** A file that the call created in the task's folder. */
export interface FilePart {
  part: "file";
  /** The absolute path. */
  path: string;
  /** The media type, e.g. `application/pdf`. Empty if it is unknown. */
  media_type: string;
  /** The size in bytes. */
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
  /** The hosts that the task connected to for the first time since Deputy's host was started. A port is included if it is not the default. */
  hosts: string[];
  /** The address of the page in the task's browser at the end of the call. Absent if the call did not use the browser. */
  page: string | null;
  /** The page directly before the call clicked on it. Absent if the call did not click. */
  aimed: AimedPicture | null;
}

/** A part of a result. The result's `content` contains the same information as text, for models and screens that only support text. */
export type ResultPart =
  /** An additional text. */
  | TextPart
  /** A picture, stored as a blob. */
  | PicturePart
  /** A file that the call created in the task's folder. */
  | FilePart
  /** Structured data. */
  | DataPart
  /** What the call did on the web. */
  | WebPart;

/** The result of a call. */
export interface ToolResult {
  /** How the call ended. */
  status: CallStatus;
  /** The text that the planner reads, cut to the task's limit. */
  content: string;
  /** One line for people, e.g. `214 files, 3 folders`. If empty, the first line of `content` is shown. */
  summary: Phrase;
  /** The exit code of a command. Absent if the call did not run a command that exited. */
  exit_code: number | null;
  /** The number of bytes of output that were counted but not kept. */
  omitted_bytes: number;
  /** The files that the call changed, for undo. */
  changes: FileChange[];
  /** The git repositories that the call changed, for undo. */
  repositories: ChangedRepository[];
  /** The accesses of a command that the sandbox refused, as far as it recorded them. */
  refused: RefusedAttempt[];
  /** Facts about the output of a command. `content` has its text. */
  output: CommandOutput | null;
  /** The number of operations of a plan that were skipped because their files had changed. */
  left_out: number;
  /** The parts of the result beyond its text: pictures, files and data. */
  parts: ResultPart[];
}

/** A call ended. */
export interface ToolFinished {
  type: "tool_finished";
  /** The call. */
  call: string;
  /** The result of the call. */
  result: ToolResult;
  /** How long the call ran, in milliseconds. */
  duration_ms: number;
}

/** The planner or a brake asked the user a question. */
export interface QuestionAsked {
  type: "question_asked";
  /** The question. */
  question: Question;
}

/** The user answered a question. */
export interface QuestionAnswered {
  type: "question_answered";
  /** The id of the question. */
  request: string;
  /** The answer. */
  text: string;
  /** Who answered. Absent in older journals and in copies of a task. */
  by: Responder | null;
  /** The real paths of the files and folders that the answer names. The task may read them. Resolved when it was typed. */
  named: string[];
}

/** The task paused. */
export interface Paused {
  type: "paused";
  /** Why the task paused. */
  reason: PauseReason;
  /** Why the task paused, for people. */
  message: Phrase;
  /** The limit that was reached. Absent if the task paused for another reason. */
  budget: BudgetReached | null;
}

/** The task resumed. */
export interface Resumed {
  type: "resumed";
}

/** The user added an instruction to the task. */
export interface Steered {
  type: "steered";
  /** The text of the instruction. */
  text: string;
  /** The real paths of the files and folders that the text names. The task may read them. Resolved when it was typed. */
  named: string[];
}

/** The user asked the task to stop. */
export interface StopRequested {
  type: "stop_requested";
}

/** The task's process died. */
export interface Interrupted {
  type: "interrupted";
}

/** A commit that a task made. */
export interface NewCommit {
  /** The beginning of its name. */
  id: string;
  /** The first line of its message. */
  subject: string;
}

/** A symbolic link that leads out of the task's folder. */
export interface OutwardLink {
  /** The absolute path of the link. */
  path: string;
  /** The path that it contains. */
  target: string;
}

/** Changes of a task that may matter after it. Only the first ones of each kind if there are many. */
export interface LastingChanges {
  /** The full names of the references of git that were moved or removed, and of new ones other than branches. */
  references: string[];
  /** The absolute paths of changed files that other programs may run, such as build scripts. */
  run_later: string[];
  /** The symbolic links that lead out of the task's folder. */
  links_out: OutwardLink[];
}

/** What a task did, according to Deputy's own record. A summary by the model cannot claim anything that did not happen. */
export interface Report {
  /** The number of steps. */
  steps: number;
  /** The files that the task created, changed or removed, in order of their paths. Only the first ones if there are many. */
  changed: ChangedFile[];
  /** The number of further files. */
  more_files: number;
  /** The number of files that were moved or renamed, and of those that plans moved, copied or put into the trash. */
  moved: number;
  /** What was written into folders that hold only what programs make, such as `target`. */
  built: BuiltFolder[];
  /** The commits that the task made, newest first. Only the first ones if there are many. */
  commits: NewCommit[];
  /** The number of further commits. */
  more_commits: number;
  /** The branches that the task created. */
  branches: string[];
  /** What may matter after the task. Absent if there is nothing. */
  lasting: LastingChanges | null;
  /** The successful calls that changed something, in order. Only the newest ones if there are many. */
  calls: string[];
  /** The number of earlier calls that are not listed. */
  earlier_calls: number;
  /** What the user said while the task ran, in full, each with the question that it answered. Only the newest texts if there are many. */
  answers: string[];
  /** The number of tokens that the task used. */
  tokens: number;
  /** The cost of the tokens, in millionths of the currency. Absent if no price is known. */
  cost_micros: number | null;
}

/** The task ended. */
export interface Stopped {
  type: "stopped";
  /** How the task ended. */
  reason: StopReason;
  /** The final answer, or what went wrong and what to do next. */
  summary: Phrase;
  /** What the task did, according to the journal. */
  report: Report | null;
}

/** The result of an undo or a redo for one path. */
export interface UndoneFile {
  /** The call that made the change. */
  call: string;
  /** The change, as it was made. */
  change: FileChange;
  /** Whether the path is now as it was before the call. */
  restored: boolean;
  /** What was done, or why the path could not be restored. */
  message: Phrase;
}

/** Whether an undo or a redo changed a repository. */
export type RepositoryOutcome =
  /** It was changed. */
  | "restored"
  /** It can be changed; this was only a preview. */
  | "possible"
  /** Nothing in it was changed, and nothing else was undone or redone either. */
  | "refused";

/** The result of an undo or a redo for a git repository. HEAD, the index, the stash and the references that the calls moved change together or not at all, and git changes them. */
export interface UndoneRepository {
  /** The real path of the folder in which git keeps its data. */
  folder: string;
  /** The calls that changed the repository, oldest first. */
  calls: string[];
  /** Whether the calls created or removed the repository, so that it goes or comes back as a whole, settings included. */
  is_whole: boolean;
  /** Whether the repository was changed. */
  outcome: RepositoryOutcome;
  /** What changed, or why nothing in the repository was changed. Empty if git reads the same as before. */
  message: Phrase;
}

/** Changes of a task were undone. */
export interface Undone {
  type: "undone";
  /** The result for each path. */
  files: UndoneFile[];
  /** The result for each git repository. What changed inside it is not in `files`. */
  repositories: UndoneRepository[];
  /** The number of operations of plans that were undone. */
  operations: number;
  /** The jobs that undid plans. Undoing them is the redo. */
  jobs: string[];
  /** The number of changes and executed plans that undo can still revert. Absent in older journals. */
  left: number | null;
  /** Whether a redo can make something again. Absent in older journals. */
  can_redo: boolean | null;
}

/** Changes that an undo had reverted were made again. */
export interface Redone {
  type: "redone";
  /** The result for each path. `restored` is true if the path is again as the call left it. */
  files: UndoneFile[];
  /** The result for each git repository. What changed inside it is not in `files`. */
  repositories: UndoneRepository[];
  /** The number of operations of plans that were made again. */
  operations: number;
  /** The jobs that had undone plans and were undone themselves. */
  jobs: string[];
  /** The number of changes and executed plans that undo can now revert. */
  left: number;
  /** Whether a further redo can make something again. Absent in older journals. */
  can_redo: boolean | null;
}

/** A memory was stored for later tasks. */
export interface Remembered {
  type: "remembered";
  /** The text. */
  text: string;
  /** The subject of a preference. Absent for a fact. */
  about: string | null;
  /** The planner's call that stored the memory. Absent if a person did. */
  call: string | null;
  /** Whether a person allowed the memory to be given to tasks in every folder. */
  is_promoted: boolean;
}

/** A person replaced the text of a memory. */
export interface MemoryEdited {
  type: "memory_edited";
  /** The number of the memory. */
  memory: number;
  /** The new text. */
  text: string;
}

/** A person forgot a memory, and all others that had the same text at that time. */
export interface MemoryForgotten {
  type: "memory_forgotten";
  /** The number of the memory. */
  memory: number;
}

/** A person restored a forgotten memory, and all memories that were forgotten with it. */
export interface MemoryRestored {
  type: "memory_restored";
  /** The number of the memory. */
  memory: number;
  /** The text of the memory when it was forgotten, taken from the journal. */
  text: string;
}

/** A person made a memory available outside the folder that it comes from. */
export interface MemoryPromoted {
  type: "memory_promoted";
  /** The number of the memory. */
  memory: number;
}

/** A kind of memory, for pruning. */
export type PruneKind =
  /** Texts that a person wrote to a task. */
  | "said"
  /** Texts from the planner. */
  | "plans"
  /** Results of calls. */
  | "results"
  /** Stored facts. */
  | "facts"
  /** Stored preferences. */
  | "preferences";

/** A person pruned memories: the oldest memories of some kinds, up to a certain memory. */
export interface MemoriesPruned {
  type: "memories_pruned";
  /** The kinds of memories. */
  kinds: PruneKind[];
  /** Only memories from before this time were pruned. Absent if there was no such limit. */
  before_ms: number | null;
  /** The number of the newest memory that was pruned. */
  up_to: number;
  /** The maximum number of memories that were pruned, oldest first. */
  most: number;
}

/** The origin of a memory. A memory that does not come from a person is data. It is only given to tasks in its own folder until a person promotes it. */
export type MemoryOrigin =
  /** A person wrote it. */
  | "person"
  /** The planner wrote it, possibly based on anything that it read. */
  | "planner"
  /** A tool returned it. */
  | "tool"
  /** A command printed it. */
  | "command"
  /** It was read from files or their names. */
  | "file"
  /** It was read from a web page. */
  | "page";

/** The kind of a memory. */
export type MemoryKind =
  /** A text from the work on a task. */
  | "said"
  /** A fact that was stored to be remembered. */
  | "fact"
  /** A preference about one subject that was stored to be remembered. A newer preference about the same subject replaces it. */
  | "preference";

/** A memory in an exported file. */
export interface PortableMemory {
  /** The text. */
  text: string;
  /** When the text was written. */
  at_ms: number;
  /** The origin of the text, which also determines its author. */
  origin: MemoryOrigin;
  /** The kind of memory. */
  kind: MemoryKind;
  /** The subject of a preference. Absent for other kinds. */
  about: string | null;
  /** The folder that the memory comes from. Empty if there is none. */
  workspace: string;
  /** Whether a person allowed the memory to be given to tasks in every folder. */
  is_promoted: boolean;
}

/** A memory from another home was imported. */
export interface MemoryImported {
  type: "memory_imported";
  /** The memory. */
  memory: PortableMemory;
}

/** Something that happened to a task. */
export type TaskEvent =
  /** The task was submitted and is queued. */
  | Created
  /** A person moved the queued task to another place in the queue. */
  | QueueMoved
  /** A person renamed the conversation that starts with the task. */
  | Renamed
  /** A person archived the task's conversation or restored it. */
  | Archived
  /** An iteration of the task started. */
  | IterationStarted
  /** The planner answered. */
  | Planned
  /** The planner did not answer. It is asked again, or the task pauses. */
  | PlanFailed
  /** Older steps were replaced by a summary in what the planner reads. */
  | Compacted
  /** The planner's system text, tools or earlier tasks changed. */
  | Briefed
  /** The start block was added to the conversation. */
  | Oriented
  /** The planner was given notes of earlier tasks. */
  | Noted
  /** Guidance files were found that the user has not decided on. */
  | GuidanceFound
  /** The planner was given the user's guidance. */
  | Guided
  /** The planner wrote or updated its to-do list. */
  | TodoChanged
  /** A call delegated work to sub-tasks, and the task is waiting for them. */
  | SubtasksStarted
  /** The sub-tasks of a call ended. */
  | SubtasksEnded
  /** A person switched the task to another backend or model. */
  | ModelSwitched
  /** A person took over the task's browser in a window. The task's browser calls wait until it is returned. */
  | BrowserTaken
  /** The person returned the browser to the task, or closed its window. */
  | BrowserReturned
  /** A second model reviewed a call that was allowed in advance. */
  | Reviewed
  /** A call asked a model about texts. */
  | Inferred
  /** Policy decided on a call. */
  | CallDecided
  /** A call is waiting for a person's permission. */
  | PermissionRequested
  /** A permission request was answered by a person, a standing consent or its expiry. */
  | PermissionAnswered
  /** A call of the task was denied because a person denied an identical request. */
  | RefusalShared
  /** A call is about to run. The event is durable before a mutating call starts. */
  | ToolStarted
  /** A file is about to be changed, and its current content was saved. */
  | FileKept
  /** A command is about to run, and everything that it could change was saved. */
  | TreeKept
  /** A call ended. */
  | ToolFinished
  /** A command keeps running in the background. */
  | BackgroundStarted
  /** A background command ended. */
  | BackgroundEnded
  /** The planner or a brake asked the user a question. */
  | QuestionAsked
  /** The user answered a question. */
  | QuestionAnswered
  /** The task paused. */
  | Paused
  /** The task resumed. */
  | Resumed
  /** The user added an instruction to the task. */
  | Steered
  /** The user asked the task to stop. The running call may finish. */
  | StopRequested
  /** The task's process died. The next process writes this event. */
  | Interrupted
  /** The task ended. */
  | Stopped
  /** Changes of the task's calls were undone. */
  | Undone
  /** Changes that an undo had reverted were made again. */
  | Redone
  /** A memory was stored for later tasks, by the planner or, in the notebook, by a person. */
  | Remembered
  /** A person replaced the text of a memory that comes from this task. */
  | MemoryEdited
  /** A person forgot a memory that comes from this task. */
  | MemoryForgotten
  /** A person restored a forgotten memory that comes from this task. */
  | MemoryRestored
  /** A person made a memory that comes from this task available to tasks in other folders. */
  | MemoryPromoted
  /** A person forgot many memories at once. Written to the notebook. */
  | MemoriesPruned
  /** A memory from another home was imported. Written to the notebook. */
  | MemoryImported;

/** An event with its position in the journal. */
export interface EventRecord {
  /** The global sequence number of the event: rising, without gaps. It is also the event's position in the mirror's stream. */
  seq: number;
  /** The task that the event belongs to. */
  task: string;
  /** When the event was written. */
  at_ms: number;
  /** What happened. */
  event: TaskEvent;
}

/** A part of an import. When the last part has arrived, all parts are imported together, or none of them. */
export interface ImportPart {
  /** The id of the import, chosen by the client. */
  id: string;
  /** The number of the part, from 0. Part 0 restarts the import. */
  number: number;
  /** Whether this is the last part. */
  is_last: boolean;
}

/** Imports an exported conversation, to read and continue it. Nothing in it is run, granted or made undoable. */
export interface ImportConversationCommand {
  command: "import_conversation";
  /** The absolute path of the folder in which the tasks are shown. */
  workspace: string;
  /** The events of the tasks, each task from its beginning. */
  events: EventRecord[];
  /** The part of the import that these events are. */
  part: ImportPart;
}

/** What is opened. */
export type OpenWhat =
  /** The file itself, if it is a document that cannot execute anything. */
  | "file"
  /** The folder, or the folder that contains the file. */
  | "folder";

/** Opens a file or folder of a task on the host's desktop. */
export interface OpenCommand {
  command: "open";
  /** The id of the task. */
  task: string;
  /** The path of the file or folder. It must be in the task's workspace or in a folder that the task was given. */
  path: string;
  /** What is opened. */
  what: OpenWhat;
}

/** Opens a task's browser in a window on the host's desktop. The task's browser calls wait until it is returned. */
export interface TakeBrowserCommand {
  command: "take_browser";
  /** The id of the task. */
  task: string;
}

/** Closes the window of a task's browser. The task continues with the same browser profile. */
export interface ReturnBrowserCommand {
  command: "return_browser";
  /** The id of the task. */
  task: string;
}

/** Adds an instruction to a task. */
export interface SteerCommand {
  command: "steer";
  /** The id of the task. */
  task: string;
  /** The text of the instruction. */
  text: string;
}

/** Switches a task to another backend or model, from its next step. */
export interface SwitchModelCommand {
  command: "switch_model";
  /** The id of the task. */
  task: string;
  /** The name of the backend. If absent, the task's current backend is kept. */
  backend: string | null;
  /** The model. If absent, the backend's configured model is used. */
  model: string | null;
}

/** Undoes the changes of a task's calls. */
export interface UndoCommand {
  command: "undo";
  /** The task whose changes are undone. */
  task: string;
  /** The only call whose changes are undone. If absent, the changes of all calls are undone. */
  call: string | null;
  /** Whether to only report what would be undone. */
  dry_run: boolean;
  /** Whether to undo only if everything can be undone. Otherwise only a report is returned, so that a person can decide. */
  if_whole: boolean;
  /** Whether to leave git repositories as they are, and to undo only what changed outside of their data. */
  files_only: boolean;
}

/** Redoes the changes that the last undo of a task reverted. */
export interface RedoCommand {
  command: "redo";
  /** The task whose changes are redone. */
  task: string;
  /** Whether to leave git repositories as they are, and to redo only what changed outside of their data. */
  files_only: boolean;
}

/** Resumes a job that was stopped or interrupted. */
export interface ResumeJobCommand {
  command: "resume_job";
  /** The id of the job. */
  job: string;
  /** Whether to skip the operation at which the job stopped instead of trying it again. */
  skip: boolean;
}

/** What to do with files that were changed, moved or replaced since a job. */
export type OnConflict =
  /** Such files are not touched; the rest is undone. */
  | "skip"
  /** Such files are moved back in their current state, under another name if theirs is taken. */
  | "keep_both"
  /** Nothing is undone if there is such a file. */
  | "abort";

/** Undoes a job. */
export interface UndoJobCommand {
  command: "undo_job";
  /** The id of the job. */
  job: string;
  /** Whether to only report what would be undone. */
  dry_run: boolean;
  /** What to do with files that conflict with the undo. */
  on_conflict: OnConflict;
}

/** Stores a memory for later tasks in every folder. */
export interface RememberCommand {
  command: "remember";
  /** The text. */
  text: string;
  /** The subject, which makes the memory a preference. It replaces an older preference about the same subject. Absent for a fact. */
  about: string | null;
}

/** Replaces the text of a memory. */
export interface EditMemoryCommand {
  command: "edit_memory";
  /** The number of the memory. */
  memory: number;
  /** The new text. */
  text: string;
}

/** Forgets a memory, and all others with the same text. */
export interface ForgetMemoryCommand {
  command: "forget_memory";
  /** The number of the memory. */
  memory: number;
}

/** Restores a forgotten memory, and all memories that were forgotten with it. */
export interface RestoreMemoryCommand {
  command: "restore_memory";
  /** The number of the memory. */
  memory: number;
}

/** Makes a memory available to tasks outside the folder that it comes from. */
export interface PromoteMemoryCommand {
  command: "promote_memory";
  /** The number of the memory. */
  memory: number;
}

/** Embeds all memories again, including those that could not be embedded. The existing vectors are used until then. */
export interface RebuildMemoryCommand {
  command: "rebuild_memory";
}

/** Embeds some of the pending memories now instead of at a quiet time. The outcome is the number of memories and passages that are still pending. */
export interface EmbedMemoriesCommand {
  command: "embed_memories";
}

/** A rule that selects memories to prune: all memories of some kinds that are old enough, except the newest ones. */
export interface PruneRule {
  /** The kinds of memories. If empty, no memories are selected. */
  kinds: PruneKind[];
  /** Only memories from before this time. If absent, memories of any age are selected. */
  before_ms: number | null;
  /** The number of newest memories to keep. */
  keep: number;
}

/** Forgets all memories that a rule selects. Journals keep their text, so that each memory can be restored. */
export interface PruneMemoriesCommand {
  command: "prune_memories";
  /** The rule. */
  rule: PruneRule;
}

/** Imports memories from another home: all of them or none. Memories that already exist are skipped. */
export interface ImportMemoriesCommand {
  command: "import_memories";
  /** The memories, at most 1,000. */
  memories: PortableMemory[];
  /** The part of a larger import that these memories are. Absent if the command contains the whole import. */
  part: ImportPart | null;
}

/** Indexes the documents of a folder for recall, or indexes them again. */
export interface IndexFolderCommand {
  command: "index_folder";
  /** The path of the folder. */
  folder: string;
  /** Whether tasks in every folder may be given the passages. Otherwise only tasks that may read the files without asking. */
  is_everywhere: boolean;
}

/** Forgets the passages of a folder's documents. The files are not changed. */
export interface DropFolderCommand {
  command: "drop_folder";
  /** The path of the folder. */
  folder: string;
}

/** Stops a background command. */
export interface StopBackgroundCommand {
  command: "stop_background";
  /** The id of the command's task. */
  task: string;
  /** The id of the command within its task. */
  background: string;
}

/** Revokes a grant. */
export interface RevokeGrantCommand {
  command: "revoke_grant";
  /** The id of the grant. */
  grant: string;
}

/** A rule about one command, as created on a screen. A rule that allows covers exactly these words. A rule that asks or denies also covers the command with further words. */
export interface CommandRule {
  /** The decision on the command. */
  effect: Decision;
  /** One simple command of literal words. */
  command: string;
  /** The folder below which a workspace must be, absolute or starting with `~/`. If absent, the rule applies in every workspace. */
  within: string | null;
}

/** A reference to a rule, as shown on a screen. If the file was changed since, the reference does not match. */
export interface RuleRef {
  /** The line of the rule in the file, from 1. */
  line: number;
  /** What the rule covers, for people. */
  text: Phrase;
}

/** Writes a rule to the rules file. */
export interface KeepRuleCommand {
  command: "keep_rule";
  /** The rule. */
  rule: CommandRule;
  /** The rule to replace. If absent, a new rule is added. */
  instead: RuleRef | null;
}

/** Removes a rule from the rules file. */
export interface DropRuleCommand {
  command: "drop_rule";
  /** The rule to remove. */
  rule: RuleRef;
}

/** Stores a backend's key in the desktop's keyring, or removes it. */
export interface SetKeyCommand {
  command: "set_key";
  /** The name of the backend. */
  backend: string;
  /** The key. If absent, the stored key is removed. */
  key: string | null;
}

/** Stores a search provider's key in the desktop's keyring, or removes it. */
export interface SetSearchKeyCommand {
  command: "set_search_key";
  /** The name of the provider. */
  provider: string;
  /** The key. If absent, the stored key is removed. */
  key: string | null;
}

/** What a draft organizes files by. */
export type OrganizeBy =
  /** All criteria: duplicates, projects, screenshots, installers, document contents, photographs by year, and kinds. */
  | "everything"
  /** The kinds of files. */
  | "kind"
  /** Years and months. */
  | "date"
  /** Only projects. */
  | "project"
  /** The contents of documents. */
  | "content"
  /** Only duplicate files. */
  | "duplicates"
  /** Only the names of files. */
  | "names";

/** Starts to scan folders and to draft a plan for them. The scan runs in the background; the query `scan` returns its progress. */
export interface StartScanCommand {
  command: "start_scan";
  /** The folders, absolute or below the home folder with `~`. */
  folders: string[];
  /** What the draft organizes files by. */
  by: OrganizeBy;
  /** The naming convention for files, written as an example. If absent, names are not changed. */
  convention: string | null;
}

/** Stops a scan. */
export interface StopScanCommand {
  command: "stop_scan";
  /** The id of the scan. */
  scan: string;
}

/** Saves a draft with a person's changes as a new draft, which a task can execute. */
export interface KeepDraftCommand {
  command: "keep_draft";
  /** The id of the draft, as returned by a scan. */
  draft: string;
  /** The ids of operations to drop. */
  without: string[];
  /** Edited operations. Each replaces the operation with the same id. */
  edited: OrganizeOperation[];
}

/** Creates a link that opens the desktop's page. Only clients of the Unix socket and of that page may use it. */
export interface LinkCommand {
  command: "link";
}

/** Renames a device. */
export interface RenameDeviceCommand {
  command: "rename_device";
  /** The id of the device. */
  device: string;
  /** The new name. */
  name: string;
}

/** Sets the push server address at which a device receives notices. A UnifiedPush app on the device obtains it. Notices are encrypted with the device's key. */
export interface ReachDeviceCommand {
  command: "reach_device";
  /** The id of the device. */
  device: string;
  /** An https address. If absent, notices go through the relay in the host's settings again. */
  endpoint: string | null;
}

/** Revokes a device. Its connections are closed at once. */
export interface RevokeDeviceCommand {
  command: "revoke_device";
  /** The id of the device. */
  device: string;
}

/** What a device may do. */
export type DeviceScope =
  /** See everything. */
  | "monitor"
  /** Answer permission requests and questions. */
  | "approve"
  /** Start, steer, pause and stop tasks, and undo. */
  | "command";

/** Starts to pair a device. Any earlier pairing ends. */
export interface StartPairingCommand {
  command: "start_pairing";
  /** What the new device may do. */
  scopes: DeviceScope[];
}

/** The person's confirmation of the number that both sides show. */
export interface ConfirmPairingCommand {
  command: "confirm_pairing";
  /** The six digits that the device shows. */
  number: string;
  /** Whether they are equal to the digits that the desktop shows. */
  accept: boolean;
}

/** A command. */
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
  /** Start a new conversation from another one, up to a step. */
  | ForkCommand
  /** Import a conversation that was exported. It keeps the authors of its texts, so only the local user may import it. */
  | ImportConversationCommand
  /** Open a file or folder of a task on the desktop. Anything that opening could execute is refused. */
  | OpenCommand
  /** Open a task's browser in a window for the local user, for example to sign in. The task's browser calls wait until it is returned. */
  | TakeBrowserCommand
  /** Close the window of a task's browser and let the task continue with the same browser profile. */
  | ReturnBrowserCommand
  /** Add an instruction to a task. */
  | SteerCommand
  /** Switch a task to another backend or model, from its next step. */
  | SwitchModelCommand
  /** Answer a question. */
  | AnswerQuestionCommand
  /** Answer a permission request. */
  | AnswerPermissionCommand
  /** Undo the changes of a task's calls. */
  | UndoCommand
  /** Redo the changes that the last undo of a task reverted. */
  | RedoCommand
  /** Resume a job that was stopped or interrupted. */
  | ResumeJobCommand
  /** Undo a job. */
  | UndoJobCommand
  /** Remember something for later tasks in every folder. It influences those tasks, so it needs the same scope as starting a task. */
  | RememberCommand
  /** Replace the text of a memory. A memory influences later tasks, so changing it needs the same scope as starting a task. */
  | EditMemoryCommand
  /** Forget a memory, and every other one with the same text. */
  | ForgetMemoryCommand
  /** Restore a forgotten memory, and all memories that were forgotten with it. */
  | RestoreMemoryCommand
  /** Make a memory available to tasks in every folder. */
  | PromoteMemoryCommand
  /** Embed all memories again; the old vectors are used until then. */
  | RebuildMemoryCommand
  /** Embed some of the pending memories now. Returns how many are still pending. */
  | EmbedMemoriesCommand
  /** Forget all memories that match a rule. Journals keep their text. */
  | PruneMemoriesCommand
  /** Import memories from another home. They keep their authors, so only the local user may import them. */
  | ImportMemoriesCommand
  /** Index the documents of a folder for recall, or index them again. This reads files that no task was allowed to read, so only the local user may do it. */
  | IndexFolderCommand
  /** Forget the indexed documents of a folder. */
  | DropFolderCommand
  /** Stop a background command. */
  | StopBackgroundCommand
  /** Revoke a grant. */
  | RevokeGrantCommand
  /** Add or replace a rule about one command in `rules.toml`. A rule may only allow a command that an answer could have allowed permanently. */
  | KeepRuleCommand
  /** Remove a rule from `rules.toml`. */
  | DropRuleCommand
  /** Change settings: all of them or none. They are written to `config.toml`, whose comments are kept. Most take effect at once; the settings list those that need a restart. */
  | ChangeSettingsCommand
  /** Store a backend's key in the desktop's keyring or remove it, and pass it to the planner. */
  | SetKeyCommand
  /** Store a search provider's key in the desktop's keyring or remove it. */
  | SetSearchKeyCommand
  /** Start to scan folders and to draft a plan for them. The command returns at once; the query `scan` returns the progress. */
  | StartScanCommand
  /** Stop a scan. */
  | StopScanCommand
  /** Save a draft with operations dropped or edited as a new draft, which the command `start` can execute. */
  | KeepDraftCommand
  /** Create a link that opens the desktop's page once. */
  | LinkCommand
  /** Rename a device. */
  | RenameDeviceCommand
  /** Set the push server address at which a device receives notices. A device may set its own address. */
  | ReachDeviceCommand
  /** Revoke a device; its connections are closed at once. */
  | RevokeDeviceCommand
  /** Start to pair a device, and cancel any earlier pairing that is still open. The query `pairing` returns the link to scan. */
  | StartPairingCommand
  /** Confirm or reject that both sides of a pairing show the same number. */
  | ConfirmPairingCommand;

/** A command with its id. */
export interface CommandEnvelope {
  /** The id of the command, created by the client. A command that is sent again with the same id is not performed again. */
  id: string;
  /** The command. */
  command: Command;
}

/** A message that performs a command. */
export interface ClientCommand {
  type: "command";
  /** The command with its id. */
  envelope: CommandEnvelope;
}

/** The proof by a session that was opened over HTTP. */
export interface SessionProof {
  proof: "session";
  /** The secret of the session. */
  session: string;
}

/** The proof by a device that signed the challenge of this connection. */
export interface DeviceProof {
  proof: "device";
  /** The id of the device. */
  device: string;
  /** The device's signature of `deputy-connect-1`, the server's fingerprint, the device id and the challenge, each on its own line. */
  signature: string;
}

/** The proof that a client may connect. The Unix socket does not require one, because only its owner can open it. */
export type Proof =
  /** A session that was opened over HTTP. */
  | SessionProof
  /** A device's signature of the challenge. */
  | DeviceProof;

/** The first message of a client. */
export interface Hello {
  type: "hello";
  /** The client's `PROTOCOL_VERSION`. */
  protocol: number;
  /** The sequence number of the last event that the client has. The client receives the events after it. If absent, the client receives a snapshot. */
  resume_from: number | null;
  /** Whether the client also wants live events and progress. */
  follow: boolean;
  /** Whether long texts in events may be shortened. They are always shortened except over the Unix socket. */
  brief: boolean;
  /** The proof that the client may connect. The Unix socket does not require one. */
  proof: Proof | null;
}

/** Asks for the state of the agent. */
export interface StateQuery {
  query: "state";
}

/** Asks for tasks, newest first. */
export interface TasksQuery {
  query: "tasks";
  /** The maximum number of tasks. */
  limit: number;
  /** Words to search for in the texts of all tasks. The last word may be a prefix. Absent to list tasks without a search. */
  said: string | null;
}

/** Asks for one task. */
export interface TaskQuery {
  query: "task";
  /** The id of the task. */
  task: string;
}

/** Asks for the events of one task, oldest first. */
export interface EventsQuery {
  query: "events";
  /** The id of the task. */
  task: string;
  /** Only events after this sequence number are returned. */
  after: number;
  /** The maximum number of events. */
  limit: number;
  /** Whether to return the newest matching events instead of the oldest. A screen uses this to show a long task. */
  newest: boolean;
  /** Whether to shorten long texts, as in live events. */
  brief: boolean;
}

/** Asks for one event in full, for example an event that arrived shortened. */
export interface EventQuery {
  query: "event";
  /** The sequence number of the event. */
  seq: number;
}

/** Asks for the grants that are in effect. */
export interface GrantsQuery {
  query: "grants";
}

/** Asks which past calls a grant would have allowed. A screen asks this before it gives a broader answer than `once`. */
export interface PreviewGrantQuery {
  query: "preview_grant";
  /** The id of the open permission request. */
  request: string;
  /** The lifetime of the offer. */
  lifetime: Lifetime;
  /** Whether the wider of the two offers with this lifetime is meant. */
  wider: boolean;
}

/** Asks for the settings of the host. For local clients only. */
export interface SettingsQuery {
  query: "settings";
}

/** Looks for model servers on this machine. The host tries the usual loopback ports. */
export interface FindServersQuery {
  query: "find_servers";
}

/** Runs the checks of `deputy doctor`. */
export interface DoctorQuery {
  query: "doctor";
}

/** Asks for the decision on a shell command, and the reasons. Nothing is run. */
export interface ExplainQuery {
  query: "explain";
  /** The command. */
  command: string;
  /** The folder that a task would work in. */
  workspace: string;
}

/** Asks for the user's own rules. */
export interface RulesQuery {
  query: "rules";
}

/** Asks what the models used and cost since a point in time. */
export interface UsageQuery {
  query: "usage";
  /** The start of the period. The quarter hour that contains it is included as a whole. */
  since_ms: number;
}

/** Asks what was sent to the model in a step and what it answered. Secrets are removed. */
export interface PromptQuery {
  query: "prompt";
  /** The id of the task. */
  task: string;
  /** The number of the step, from 1. */
  step: number;
  /** The byte at which the piece starts. */
  offset: number;
}

/** Asks for everything that a task and its sub-tasks changed, as far as it was not undone. */
export interface DifferenceQuery {
  query: "difference";
  /** The id of the task. */
  task: string;
}

/** Asks for folders that complete a partly typed path. */
export interface FoldersQuery {
  query: "folders";
  /** The path as typed: absolute, or below the home folder with `~`. */
  path: string;
}

/** Asks for the state of a scan. */
export interface ScanQuery {
  query: "scan";
  /** The id of the scan. */
  scan: string;
}

/** Tries a draft with a person's changes on a model of the tree. Nothing is written. */
export interface DraftQuery {
  query: "draft";
  /** The id of the draft, as returned by a scan. */
  draft: string;
  /** The ids of operations to drop. */
  without: string[];
  /** Edited operations. Each replaces the operation with the same id. */
  edited: OrganizeOperation[];
}

/** Asks for jobs, newest first. */
export interface JobsQuery {
  query: "jobs";
  /** Only the job that this call of a task started. If absent, all jobs are returned. */
  call: string | null;
}

/** Asks for memories, newest first. */
export interface MemoriesQuery {
  query: "memories";
  /** Only memories that contain all of these words. The last word may be a prefix. If absent, all memories are returned. */
  search: string | null;
  /** Only memories of this task. */
  task: string | null;
  /** Only memories of tasks in this folder. */
  workspace: string | null;
  /** Whether to return only stored facts and preferences. */
  only_kept: boolean;
  /** Whether to return one page of the best matches, by words and by meaning, including passages of documents. Otherwise, all memories that contain the words are returned, newest first. */
  best: boolean;
  /** Only memories from before this event. Used to get the next page. */
  before: number | null;
  /** The maximum number of memories; at most 100. */
  limit: number;
}

/** Asks how many memories can be found by meaning. */
export interface MemoryStatsQuery {
  query: "memory_stats";
}

/** Asks for the memories that pruning by a rule would forget. Nothing is changed. */
export interface PreviewPruneQuery {
  query: "preview_prune";
  /** The rule. */
  rule: PruneRule;
}

/** Asks for the files of all profiles. */
export interface ProfileFilesQuery {
  query: "profile_files";
}

/** Asks for the folders whose documents can be recalled. */
export interface IndexedFoldersQuery {
  query: "indexed_folders";
}

/** Asks for a piece of the complete output of a command that has ended. */
export interface OutputQuery {
  query: "output";
  /** The id of the task. */
  task: string;
  /** The call that ran the command or started it in the background. */
  call: string;
  /** The byte at which the piece starts. */
  offset: number;
}

/** Asks for a piece of a picture that a call of a task returned. */
export interface PictureQuery {
  query: "picture";
  /** The id of the task. */
  task: string;
  /** The id of the call. */
  call: string;
  /** The digest of the picture. */
  digest: string;
  /** The byte at which the piece starts. */
  offset: number;
}

/** Asks for the live console of a task. */
export interface ConsoleQuery {
  query: "console";
  /** The id of the task. */
  task: string;
}

/** Asks for all devices. For local clients only. */
export interface DevicesQuery {
  query: "devices";
}

/** Asks for the latest pairing. */
export interface PairingQuery {
  query: "pairing";
}

/** A query. */
export type Query =
  /** The state that every screen shows: running tasks, open requests and questions. */
  | StateQuery
  /** Tasks, newest first. */
  | TasksQuery
  /** One task. */
  | TaskQuery
  /** The events of one task, in pages. */
  | EventsQuery
  /** One event in full. */
  | EventQuery
  /** The grants that are in effect. */
  | GrantsQuery
  /** The past calls that a grant would have allowed. */
  | PreviewGrantQuery
  /** The choices for a new task: profiles, backends and what is missing for each, limits and folders. */
  | ChoicesQuery
  /** The host's current settings, and where each backend's key is looked up. Keys are never returned. */
  | SettingsQuery
  /** Asks a backend's provider for its models. */
  | CheckBackendQuery
  /** Searches the web once with the configured provider. */
  | CheckSearchQuery
  /** The model servers on this machine. The host tries the usual loopback ports. */
  | FindServersQuery
  /** The results of the checks of `deputy doctor`, each with `ok` and a message. */
  | DoctorQuery
  /** The decision on a shell command in a folder, by the current rules and grants. Nothing is run. */
  | ExplainQuery
  /** The rules of `rules.toml` as text, or the error in the file. */
  | RulesQuery
  /** Tokens by quarter hour, task and model, and the configured prices. */
  | UsageQuery
  /** What was sent to the model in a step and what it answered, in pieces. */
  | PromptQuery
  /** What a task changed, with the differences of texts. */
  | DifferenceQuery
  /** Folders that complete a partly typed path. A device that may only answer requests cannot browse folders, so it needs `command`. */
  | FoldersQuery
  /** The progress of a scan; once it is done, the draft and suggested naming conventions. */
  | ScanQuery
  /** The result of trying a draft, with operations dropped or edited, on a model of the tree: the problems, and the trees before and after. */
  | DraftQuery
  /** Jobs, newest first. */
  | JobsQuery
  /** Memories, newest first, in pages. They contain nothing that the events do not. */
  | MemoriesQuery
  /** The number of memories that can be found by meaning, and the number that are pending. */
  | MemoryStatsQuery
  /** The memories that pruning by a rule would forget. */
  | PreviewPruneQuery
  /** The profile files that people can read and edit. */
  | ProfileFilesQuery
  /** The folders whose documents can be recalled. */
  | IndexedFoldersQuery
  /** A piece of a command's complete output. */
  | OutputQuery
  /** A piece of a picture that a call returned. */
  | PictureQuery
  /** The browser of a task: its address and its current user. */
  | BrowserQuery
  /** The output of a task's running calls so far, and the files that the task touched. */
  | ConsoleQuery
  /** All devices. */
  | DevicesQuery
  /** The latest pairing: its link and its state. */
  | PairingQuery;

/** A message that asks a query. */
export interface ClientQuery {
  type: "query";
  /** The id of the query. The client creates it, and the reply repeats it. */
  id: string;
  /** The query. */
  query: Query;
}

/** A message from a client to the host. */
export type ClientMessage =
  /** The first message of a client. */
  | Hello
  /** Performs a command. */
  | ClientCommand
  /** Asks a query. */
  | ClientQuery;

/** The command was performed. */
export interface DoneOutcome {
  outcome: "done";
}

/** A task was submitted. */
export interface StartedOutcome {
  outcome: "started";
  /** The summary of the task. */
  task: TaskSummary;
}

/** A planned operation that was skipped. */
export interface SkippedOperation {
  /** The id of the operation. */
  operation: string;
  /** The path that the operation is about. */
  path: string;
  /** Why the operation was skipped. */
  reason: Phrase;
}

/** A conflict that prevents undoing an operation. */
export interface JobConflict {
  /** The id of the operation. */
  operation: string;
  /** The path that the operation is about. */
  path: string;
  /** Why the operation cannot be undone. */
  reason: Phrase;
}

/** The report of a job. */
export interface JobReport {
  /** The id of the job that performed the steps. In a dry run, it is the job that would be undone. */
  job: string;
  /** The id of the job that this job undoes. Absent if it does not undo a job. */
  undoes: string | null;
  /** The number of steps that are done. */
  done: number;
  /** The total number of steps. */
  steps: number;
  /** The first 500 operations that were skipped. */
  skipped: SkippedOperation[];
  /** The number of further operations that were skipped. */
  more_skipped: number;
  /** Why the job stopped early. Absent if it did not. */
  stopped: Phrase | null;
  /** The first 500 conflicts that prevented undoing an operation. */
  conflicts: JobConflict[];
  /** The number of further conflicts. */
  more_conflicts: number;
  /** Whether nothing is left to do: every operation was performed, or everything that was performed counts as undone. */
  is_whole: boolean;
}

/** The result of an undo or a redo. */
export interface UndoneOutcome {
  outcome: "undone";
  /** The result for each path. */
  files: UndoneFile[];
  /** The reports of the jobs that the calls ran, newest first. */
  jobs: JobReport[];
  /** The result for each git repository. If one is refused, nothing at all was undone or redone. */
  repositories: UndoneRepository[];
  /** Whether the changes were made. False if they were only reported. */
  applied: boolean;
}

/** The result of resuming or undoing a job. */
export interface JobOutcome {
  outcome: "job";
  /** The report of the job. */
  report: JobReport;
}

/** Memories were forgotten, restored, promoted, pruned or embedded. */
export interface MemoriesOutcome {
  outcome: "memories";
  /** The number of memories that were changed, including those with the same text. 0 if nothing had to be changed. After embedding, it is the number of memories and passages that are still pending. */
  memories: number;
}

/** A memory was stored. */
export interface RememberedOutcome {
  outcome: "remembered";
  /** The number of the memory. */
  memory: number;
}

/** Memories or a conversation were imported. */
export interface ImportedOutcome {
  outcome: "imported";
  /** The number of memories, or tasks of a conversation, that were imported. */
  imported: number;
  /** The number that already existed. */
  present: number;
  /** The newest task of an imported conversation. Absent for memories. */
  task: string | null;
}

/** A folder whose documents can be recalled. */
export interface IndexedFolder {
  /** The path of the folder, with links resolved. */
  folder: string;
  /** Whether tasks in every folder may be given the passages. */
  is_everywhere: boolean;
  /** When the folder was last indexed. Absent if indexing never finished. */
  looked_at_ms: number | null;
  /** The number of documents with passages. */
  documents: number;
  /** The number of passages. */
  passages: number;
  /** The number of passages that can be found by meaning. */
  embedded: number;
  /** The number of documents from which no text could be extracted. */
  unreadable: number;
}

/** The result of indexing a folder. */
export interface IndexedOutcome {
  outcome: "indexed";
  /** The current state of the folder. */
  folder: IndexedFolder;
  /** The number of documents that were read because they are new or changed. */
  read: number;
  /** The number of documents that were deleted. */
  gone: number;
  /** Whether the folder contains more documents than are indexed. */
  is_partial: boolean;
}

/** A scan was started. */
export interface ScanStartedOutcome {
  outcome: "scan_started";
  /** The id of the scan. */
  scan: string;
}

/** A draft was saved. */
export interface DraftKeptOutcome {
  outcome: "draft_kept";
  /** The id of the saved draft, which a task can execute. */
  draft: string;
}

/** A link that opens the desktop's page once. */
export interface LinkOutcome {
  outcome: "link";
  /** The address. Its secret is after the `#`, so that no server and no log receives it. */
  url: string;
  /** When the link expires. */
  expires_at_ms: number;
}

/** The result of a command. */
export type CommandOutcome =
  /** The command was performed, possibly by an earlier message with the same id. */
  | DoneOutcome
  /** A task was submitted. */
  | StartedOutcome
  /** The result of an undo or a redo. */
  | UndoneOutcome
  /** The result of resuming or undoing a job. */
  | JobOutcome
  /** Memories were changed; the number says how many. */
  | MemoriesOutcome
  /** A memory was stored. */
  | RememberedOutcome
  /** Memories or a conversation were imported. */
  | ImportedOutcome
  /** A folder was indexed. */
  | IndexedOutcome
  /** A scan was started. */
  | ScanStartedOutcome
  /** A draft was saved. */
  | DraftKeptOutcome
  /** A link was created. */
  | LinkOutcome;

/** The reply to a command. */
export interface CommandReply {
  type: "command_reply";
  /** The id of the command. */
  id: string;
  /** The result of the command. */
  outcome: CommandOutcome;
}

/** The result of `inference.complete`. */
export interface CompleteReply {
  /** The answer. */
  text: string;
  /** The tokens that the answer used. */
  usage: Usage;
}

/** The parameters of `inference.complete`. */
export interface CompleteRequest {
  /** The backend that answers. */
  backend: BackendRef;
  /** The instructions. */
  system: string;
  /** The text to answer. */
  prompt: string;
}

/** A running call. */
export interface ConsoleCall {
  /** The id of the call. */
  call: string;
  /** What the call does, for people. */
  summary: Phrase;
  /** When the call started. */
  started_at_ms: number;
  /** The end of the output so far. */
  output: string;
}

/** A running background command, for screens that connect while it runs. */
export interface ConsoleBackground {
  /** The id of the command within its task. */
  background: string;
  /** The call that started the command. */
  call: string;
  /** The command. */
  command: string;
  /** When the command started. */
  started_at_ms: number;
  /** The end of the output so far. */
  output: string;
}

/** A file that a task touched. */
export interface TouchedFile {
  /** The path of the file. */
  path: string;
  /** The call that touched the file. */
  call: string;
  /** Whether the call is still running. */
  now: boolean;
}

/** The live console of a task: the output of its planner and its running calls so far. Further output arrives as progress. */
export interface Console {
  answer: "console";
  /** What the planner has written of its current plan. Empty if the planner is not working. */
  planning: string;
  /** The running calls, oldest first. */
  calls: ConsoleCall[];
  /** The running background commands, oldest first. */
  backgrounds: ConsoleBackground[];
  /** The files that the task touched, newest first, at most 50. */
  files: TouchedFile[];
}

/** A naming convention that files could follow. */
export interface ConventionCard {
  /** The convention, written as an example. */
  pattern: string;
  /** The description of the convention, for people. */
  description: Phrase;
  /** One of the current names. */
  before: string;
  /** The name that it would get. */
  after: string;
  /** How well the current names support the convention, in percent. */
  confidence_percent: number;
  /** The number of files whose names already follow the convention. */
  matches: number;
  /** The number of files that were examined. */
  files: number;
}

/** A position in a conversation, identified by what was sent up to it. */
export interface ConversationMark {
  /** The size in bytes of the messages as JSON, including the commas between them. */
  bytes: number;
  /** The hexadecimal SHA-256 digest of the JSON of `system`, `tools` and `earlier`, each followed by a line feed, and the messages. */
  sha256: string;
}

/** The usage of all tasks since midnight, with the daily limits. */
export interface DaySpent {
  /** The number of input and output tokens. */
  tokens: number;
  /** The cost in millionths of the currency, for the tokens whose price is known. */
  cost_micros: number;
  /** The daily limit of tokens; 0 for no limit. */
  max_tokens: number;
  /** The daily limit of cost, in hundredths of the currency; 0 for no limit. */
  max_cost_cents: number;
}

/** A paired phone or browser, identified by its public key. */
export interface Device {
  /** The id of the device. */
  id: string;
  /** The name that its owner gave it. */
  name: string;
  /** What the device may do. */
  scopes: DeviceScope[];
  /** When the device was paired. */
  paired_at_ms: number;
  /** When the device last authenticated. Absent if it never did. */
  last_seen_ms: number | null;
  /** When the device was revoked. A revoked device may not do anything. Absent if it was not revoked. */
  revoked_at_ms: number | null;
}

/** A request to open a session with a device's signature. */
export interface DeviceSession {
  by: "device";
  /** The id of the device. */
  device: string;
  /** The challenge that the server issued for this request. */
  challenge: string;
  /** The signature of the challenge, in the same format as in `DeviceProof`. */
  signature: string;
}

/** A list of devices. */
export interface DevicesAnswer {
  answer: "devices";
  /** The devices, in the order of pairing. */
  devices: Device[];
}

/** The results of the checks of `deputy doctor`. */
export interface DoctorAnswer {
  answer: "doctor";
  /** The results, in the order of the checks. */
  findings: Finding[];
}

/** An operation with a note about it. */
export interface OperationNote {
  /** The id of the operation. */
  operation: string;
  /** The note, for people. */
  text: Phrase;
}

/** The result of trying a draft. */
export interface DraftAnswer {
  answer: "draft";
  /** The plan. Each operation has the risk of its kind. */
  plan: OrganizePlan;
  /** Differences between what was written and what will be done. */
  notes: OperationNote[];
  /** Operations that cannot be performed. Empty if the plan can be executed. */
  problems: OperationNote[];
  /** The trees before and after the plan. Absent if the folders contain too many files to show, or the plan cannot be executed. */
  trees: DraftTrees | null;
}

/** An earlier task of the same conversation, as shown to the planner of a later task. */
export interface EarlierTask {
  /** The id of the task. */
  id: string;
  /** What the user wanted, in their own words. */
  goal: string;
  /** How the task ended. Absent if it has not ended. */
  reason: StopReason | null;
  /** The final summary, for the user. Absent if the task has not ended. */
  summary: string | null;
  /** The files that the task changed, according to Deputy's own record. Only the first ones if there are many. */
  changed_files: string[];
  /** When the task was submitted. */
  created_at_ms: number;
  /** The jobs of `organize` that the task executed, in order. */
  jobs: string[];
}

/** The result of `inference.embed`. */
export interface EmbedReply {
  /** The name of the model. Together with the dimension, it is the key of the index. */
  model: string;
  /** The number of values in each vector. */
  dimension: number;
  /** The vectors in the order of the texts, in base64. Each value is a little-endian 32-bit float. Decimal text would be five times as long. */
  vectors: string;
}

/** The parameters of `inference.embed`. */
export interface EmbedRequest {
  /** The backend that embeds the texts. */
  backend: BackendRef;
  /** The texts to embed. */
  texts: string[];
}

/** The error for a message that failed. */
export interface ErrorMessage {
  type: "error";
  /** The id of the command or query. Absent if the connection itself is refused. */
  id: string | null;
  /** The error. */
  error: ErrorBody;
}

/** The parts of a task's summary that change with its events. */
export interface TaskUpdate {
  /** The state of the task. */
  state: TaskState;
  /** The number of tokens that the task has used so far. */
  tokens: number;
  /** The name of the task's backend. */
  backend: string;
  /** The model that plans the task. Absent if it is the backend's configured model. */
  model: string | null;
  /** The cost of the task's tokens, in millionths of the currency. It covers only the tokens whose price is known; absent if none is. */
  cost_micros: number | null;
  /** The progress of the task's to-do list. Absent if there is no list. */
  todo: TodoProgress | null;
  /** When the task last changed. */
  updated_at_ms: number;
  /** The task's place in the queue. Absent unless the task is queued. */
  queue_rank: string | null;
  /** The title that a person gave to the conversation that starts with this task. */
  title: string | null;
  /** Whether the conversation was archived while this was its newest task. */
  archived: boolean;
}

/** A message with an event of the journal. */
export interface EventMessage {
  type: "event";
  /** The event. */
  record: EventRecord;
  /** The task's summary after the event. For a past event that the client missed, it is the task's current summary. The mirror always sets it. */
  update: TaskUpdate | null;
  /** Whether long texts in the event were shortened. The query `event` returns the event in full. */
  shortened: boolean;
}

/** A list of events. */
export interface EventsAnswer {
  answer: "events";
  /** The events, oldest first. */
  events: EventRecord[];
  /** The sequence numbers of the events whose long texts were shortened. The query `event` returns such an event in full. */
  shortened: number[];
}

/** The decision on a shell command. */
export interface Explanation {
  answer: "explanation";
  /** The decision with its reasons and parts. It includes grants that apply in the folder. */
  verdict: Verdict;
}

/** A plan of file operations that a call executes. */
export interface PlanFacts {
  /** The digest that an answer is bound to. A draft of the plan has this digest as its id. */
  digest: string;
  /** The plan as shown to a person. */
  shown: RequestedPlan;
}

/** Everything that a call would touch. The tool determines it without touching any of it. */
export interface Facts {
  /** The effect of running the call twice. */
  effect: Effect;
  /** What the call would touch. */
  accesses: Access[];
  /** One sentence for people, e.g. `Write REPORT.md (1.2 KB, new file)`. */
  summary: Phrase;
  /** The unified diff of the change. Absent if the call has none. */
  diff: string | null;
  /** The plan of file operations that the call executes. Absent if there is none. */
  plan: PlanFacts | null;
  /** The minimum risk of the call, regardless of the places that it touches. */
  risk: Risk;
}

/** The change of a file with its content. */
export interface FileDifference {
  /** What was done. */
  file: ChangedFile;
  /** The unified diff, without the secrets that the file had before. Absent if it is not a text, is too long, or has changed again since. */
  diff: string | null;
}

/** Folders that complete a path. */
export interface FoldersAnswer {
  answer: "folders";
  /** The folder that the path names. Absent if the path does not name a folder that can be organized. */
  folder: string | null;
  /** The absolute paths of the folders, sorted by name; at most 50. */
  folders: string[];
  /** The user's own folders for downloads, the desktop, documents and pictures that exist, in this order. */
  usual: string[];
  /** The path of the user's home folder. */
  home: string;
}

/** A remembered answer. It can be listed and revoked. */
export interface Grant {
  /** The id of the grant. */
  id: string;
  /** `allow` or `deny`. A grant never asks. */
  decision: Decision;
  /** What the grant covers. */
  rule: GrantRule;
  /** How long the grant applies. */
  lifetime: Lifetime;
  /** The folder in which the grant applies: the real path of the workspace that it was given for. */
  workspace: string;
  /** The permission request that was answered. Absent if there was none. */
  request: string | null;
  /** When the grant was given. */
  created_at_ms: number;
  /** When the grant expires. Absent if it does not expire at a fixed time. */
  expires_at_ms: number | null;
  /** When the grant was revoked. Absent if it was not revoked. */
  revoked_at_ms: number | null;
}

/** A past call that a grant would have allowed. */
export interface PreviewedCall {
  /** The task of the call. */
  task: string;
  /** What the call does, for people. */
  summary: Phrase;
  /** When permission for the call was requested. */
  at_ms: number;
  /** Whether the call was denied. */
  refused: boolean;
}

/** The past calls that a grant would have allowed. */
export interface GrantPreview {
  answer: "grant_preview";
  /** The offer, described for people. */
  label: Phrase;
  /** The number of days that were searched. */
  days: number;
  /** The number of calls in that time for which a person was asked but would not have been. The open request itself is not counted. */
  calls: number;
  /** The number of counted calls that were denied. */
  refused: number;
  /** Whether only some of the requests were examined, so that there may be more calls. */
  and_more: boolean;
  /** The newest of the counted calls. */
  samples: PreviewedCall[];
}

/** A list of grants. */
export interface GrantsAnswer {
  answer: "grants";
  /** The grants, newest first. */
  grants: Grant[];
}

/** The health of a server. */
export interface Health {
  /** Always `ok`. */
  status: string;
  /** The host's protocol version. */
  protocol: number;
  /** The host's version. */
  version: string;
}

/** A list of indexed folders. */
export interface IndexedFoldersAnswer {
  answer: "indexed_folders";
  /** The folders, sorted by path. */
  folders: IndexedFolder[];
}

/** The parameters of `initialize`. */
export interface InitializeParams {
  /** The core's `PROTOCOL_VERSION`. A sidecar with a different version answers with an error. */
  protocol: number;
  /** The folder with the user's own backend files. */
  backends_dir: string;
  /** The API keys, by the name of the backend. They are never logged and never passed in the environment. */
  keys: Record<string, string>;
  /** The secret from which the marks around untrusted data are made. It stays the same through restarts, so that a conversation is sent again as it was sent before. If empty, the sidecar makes one for its own life. */
  marks: string;
}

/** The result of `initialize`. */
export interface InitializeResult {
  /** The sidecar's protocol version. */
  protocol: number;
  /** The version of the sidecar's package. */
  version: string;
  /** The names of the available backends. */
  backends: string[];
}

/** The state of an executed plan. */
export type JobStanding =
  /** A process is executing, undoing or redoing the plan. */
  | "running"
  /** The last turn is not done, and no process is working on it. */
  | "interrupted"
  /** The plan is done. */
  | "done"
  /** A part of the plan is undone. */
  | "partly_undone"
  /** The plan is undone. */
  | "undone"
  /** The journal of the job is damaged. */
  | "damaged";

/** What a job does with a plan. */
export type TurnKind =
  /** It executes the plan. */
  | "execute"
  /** It undoes what was executed or redone. */
  | "undo"
  /** It redoes what was undone. */
  | "redo";

/** A job that executed, undid or redid a plan. */
export interface JobTurn {
  /** The id of the job. */
  job: string;
  /** What the job does with the plan. */
  turn: TurnKind;
  /** The number of steps that are done. */
  done: number;
  /** The total number of steps. */
  steps: number;
  /** When the job was started. */
  began_at_ms: number;
}

/** A path with a note about it. */
export interface PathNote {
  /** The path. */
  path: string;
  /** The note, for people. */
  reason: Phrase;
}

/** An executed plan: the job that executed it, with the undos and redos of that job. */
export interface JobInfo {
  /** The id of the job that executed the plan. */
  job: string;
  /** The state of the plan. */
  state: JobStanding;
  /** The job that undid the plan, or the newest that undid a part of it. To redo the plan, undo that job. Absent if nothing is undone. */
  undone_by: string | null;
  /** The folders that the plan covers. */
  scope: string[];
  /** The execution, the undos and the redos of the plan, oldest first; the newest 20. */
  turns: JobTurn[];
  /** Steps that the last turn skipped, with the reason; at most 50. Only filled in if the plan is interrupted, or if the query named the plan's call. */
  left_out: PathNote[];
  /** The number of steps that the last turn skipped. */
  left_out_count: number;
  /** The step at which the last turn stopped, with the reason. Only filled in if the plan is interrupted, or if the query named the plan's call; absent if no step failed. */
  stopped: PathNote | null;
}

/** The progress of a job that the host is working on. It is not journaled and may be lost; the query `jobs` returns the final state. */
export interface JobProgress {
  type: "job";
  /** The id of the job. For work that is not a job over files, it is the id of the call. */
  job: string;
  /** The job that this job undoes. Absent if it does not undo a job. */
  undoes: string | null;
  /** The call that started the job. Absent if a person started it. */
  call: string | null;
  /** The number of steps that are done. */
  done: number;
  /** The total number of steps. */
  steps: number;
}

/** A list of executed plans. */
export interface JobsAnswer {
  answer: "jobs";
  /** The plans, newest first, at most 200. */
  jobs: JobInfo[];
}

/** A request to open a session with a one-time link. */
export interface LinkSession {
  by: "link";
  /** The text after `#token=` in the link. */
  token: string;
}

/** A model server on this machine. */
export interface LocalServer {
  /** The name of the program that usually uses this port, e.g. `Ollama`. */
  name: string;
  /** The backend for this server. */
  backend: string;
  /** The value to set as `base_url`. */
  base_url: string;
  /** The models that the server offers. */
  models: string[];
}

/** The model servers on this machine. */
export interface LocalServers {
  answer: "local_servers";
  /** The servers that answered. */
  servers: LocalServer[];
}

/** The level of a log line. */
export type LogLevel =
  /** Details for developers. */
  | "debug"
  /** General information. */
  | "info"
  /** An unexpected condition that was handled. */
  | "warning"
  /** A failure. */
  | "error";

/** The parameters of the notification `log`. */
export interface LogParams {
  /** The level of the log line. */
  level: LogLevel;
  /** The log line. It contains no key. */
  message: string;
}

/** The author of a memory. Text from tools is untrusted: it is data, never instructions. */
export type MemoryRole =
  /** The user. */
  | "user"
  /** The planner. */
  | "assistant"
  /** A tool, in the result of a call. */
  | "tool";

/** The location of a passage. */
export interface PassagePlace {
  /** The path of the file. */
  path: string;
  /** The line of the file's text at which the passage starts, from 1. */
  line: number;
}

/** How well a memory matches a search. */
export interface MemoryFound {
  /** The score, relative to the best match, which has 1. */
  score: number;
  /** Whether the text contains all of the words. */
  by_words: boolean;
  /** The similarity in meaning, at most 1. Absent if the memory was not found by meaning. */
  similarity: number | null;
}

/** A text from an event of a task, or a passage of a document, that recall may give to the planner of a later task. */
export interface Memory {
  /** The number of the memory: the sequence number of the event that contains the text. */
  memory: number;
  /** The task that the memory comes from. */
  task: string;
  /** The first 200 characters of the task's goal. */
  goal: string;
  /** The folder that the task worked in. */
  workspace: string;
  /** The author of the text. */
  role: MemoryRole;
  /** The text, at most 2,000 characters. */
  text: string;
  /** When the text was written. */
  at_ms: number;
  /** When a person last edited the text. Absent if it was not edited. */
  edited_at_ms: number | null;
  /** The origin of the text. */
  origin: MemoryOrigin;
  /** When a person made the memory available outside its folder. Absent if it was not. */
  promoted_at_ms: number | null;
  /** The kind of memory. */
  kind: MemoryKind;
  /** The subject of a preference. */
  about: string | null;
  /** Whether a newer preference replaced this one. If so, it is not given to later tasks. */
  is_replaced: boolean;
  /** The location of the passage. Absent unless the memory is a passage of a document. A passage cannot be edited, forgotten or promoted by its number. */
  passage: PassagePlace | null;
  /** How well the memory matches the search. Absent unless the query asked for the best matches. */
  found: MemoryFound | null;
}

/** A page of memories. */
export interface MemoriesAnswer {
  answer: "memories";
  /** The memories, newest first. A page may contain fewer memories than requested, even none, without being the last one. */
  memories: Memory[];
  /** The value of `before` for the next page. Absent on the last page. */
  next: number | null;
}

/** The number of memories that can be found by meaning. All memories can be found by their words. */
export interface MemoryStatsAnswer {
  answer: "memory_stats";
  /** The configured embedder: `on_device`, `none`, or the name of a backend. */
  embedder: string;
  /** Why the embedder does not work at the moment. Absent if no problem is known. */
  problem: string | null;
  /** The model whose vectors are searched. Absent until the first memory is embedded. */
  model: string | null;
  /** The number of memories. */
  memories: number;
  /** The number of memories that have a vector of the model. */
  embedded: number;
  /** The number of memories that are waiting for a vector. */
  pending: number;
  /** The number of memories whose vector has to be recomputed. */
  outdated: number;
  /** The number of memories that could not be embedded. */
  failed: number;
  /** The number of memories from tools, which can only be found by their words. */
  words_only: number;
  /** The number of memories that were forgotten or pruned and can be restored. */
  forgotten: number;
  /** The number of passages of documents in indexed folders. */
  passages: number;
  /** The number of passages that have a vector of the model. */
  passages_embedded: number;
  /** The number of passages that could not be embedded. */
  passages_failed: number;
}

/** A message from the user. */
export interface UserMessage {
  role: "user";
  /** The text of the message. */
  text: string;
}

/** A picture, as sent to a planner with its result. */
export interface MessagePicture {
  /** The format. */
  media_type: PictureType;
  /** A description of the picture. */
  alt: string;
  /** The bytes in base64. Absent if the backend does not support pictures, the picture is too large to send, or newer pictures replaced it. The planner then only has the text of the result. */
  base64: string | null;
  /** The BLAKE3 digest of the picture. */
  digest: string;
}

/** The result of a call. */
export interface ToolMessage {
  role: "tool";
  /** The id of the call. */
  call: string;
  /** The name of the tool. */
  tool: string;
  /** The output of the call, or why there is none. */
  content: string;
  /** Whether the call succeeded. */
  ok: boolean;
  /** The pictures in the result. */
  pictures: MessagePicture[];
}

/** A message of a conversation. */
export type Message =
  /** A message from the user, or from the core on the user's behalf. */
  | UserMessage
  /** A message from the planner. */
  | AssistantMessage
  /** The result of a call. It is untrusted: data, never instructions. */
  | ToolMessage;

/** The result of `model.list`. */
export interface ModelListReply {
  /** The names of the models. */
  models: string[];
}

/** The parameters of `model.list`. */
export interface ModelListRequest {
  /** The backend whose models are listed. */
  backend: BackendRef;
}

/** The subject of a notice. */
export type NoticeKind =
  /** A call is waiting for permission. */
  | "request"
  /** A question is waiting for an answer. */
  | "question"
  /** A task has ended. */
  | "ended";

/** Something needs a person's attention, or no longer does. A screen shows it as a notification, once for each id. */
export interface Notice {
  type: "notice";
  /** The id of the permission request, the question or the task. */
  id: string;
  /** The task. */
  task: string;
  /** The subject of the notice. */
  kind: NoticeKind;
  /** One line for people, with control characters escaped. */
  text: string;
  /** Whether the notice is obsolete, because it was answered elsewhere or is no longer needed. A screen then removes it. */
  withdrawn: boolean;
}

/** How the user is notified when something is waiting. */
export interface NotifyChannels {
  /** Local hours without notifications, e.g. `22:00-07:00`. Absent if there are none. */
  quiet: string | null;
  /** A command that receives each notice. It can only be changed in the file, because it runs as the user. */
  command: string[];
  /** The address of a topic on a relay. Absent if no relay is used. */
  ntfy: string | null;
}

/** A piece of a command's output. */
export interface OutputAnswer {
  answer: "output";
  /** The text of the piece. */
  text: string;
  /** The byte at which the piece starts. */
  offset: number;
  /** The byte at which the next piece starts. Absent at the end of the output. */
  next: number | null;
  /** The total number of bytes that were kept. */
  size_bytes: number;
}

/** No device has sent the code yet. */
export interface PairingWaiting {
  stage: "waiting";
}

/** A device sent the code. */
export interface PairingClaimed {
  stage: "claimed";
  /** The device's own name for itself. */
  name: string;
  /** Six digits, which each side derives from what it received. */
  number: string;
  /** Whether the person confirmed the number on the desktop. */
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
  /** Why the pairing ended. */
  reason: Phrase;
}

/** The state of a pairing. */
export type PairingStage =
  /** No device has sent the code yet. */
  | PairingWaiting
  /** A device sent the code. Both sides show the number. */
  | PairingClaimed
  /** The device is paired. */
  | PairingDone
  /** The pairing ended without a device. */
  | PairingOver;

/** A pairing that was started. */
export interface PairingAnswer {
  answer: "pairing";
  /** The link that the device scans: an address, with the one-time code and the certificate's fingerprint after the `#`. */
  link: string;
  /** The SHA-256 digest of the server's public key, which the device checks on every connection. */
  fingerprint: string;
  /** When the pairing expires. */
  expires_at_ms: number;
  /** The state of the pairing. */
  stage: PairingStage;
}

/** The first message of a device during pairing. */
export interface PairingClaim {
  /** The one-time code. */
  code: string;
  /** The device's own name for itself. */
  name: string;
  /** The device's P-256 public key for signatures: the uncompressed point in base64url. */
  sign_key: string;
  /** The device's P-256 public key for messages that are encrypted to it: the uncompressed point in base64url. Absent if it has none. */
  seal_key: string | null;
}

/** The message that a device sends after its owner compared the numbers. It is repeated until the desktop has confirmed. */
export interface PairingFinish {
  /** The one-time code. */
  code: string;
  /** The device's signature of `deputy-pair-1`, the fingerprint, the code and the number, each on its own line. */
  signature: string;
}

/** A piece of a picture. */
export interface PictureAnswer {
  answer: "picture";
  /** The format of the picture, determined from its first bytes. */
  media_type: PictureType;
  /** The bytes of the piece, in base64. */
  base64: string;
  /** The byte at which the next piece starts. Absent at the end of the picture. */
  next: number | null;
  /** The size of the whole picture in bytes. */
  size_bytes: number;
}

/** The result of `inference.plan` and `inference.plan_more`. */
export interface PlanAnswer {
  /** The plan. */
  plan: AgentPlan;
  /** The tokens that the plan used. All zero if the provider does not report them. */
  usage: Usage;
  /** The position of the conversation that the plan answers. Absent if the sidecar does not keep the conversation. */
  kept: ConversationMark | null;
}

/** The `error.data` of a JSON-RPC error. `error.message` is for people and says what to do next. */
export interface PlanErrorData {
  /** Why the backend did not answer. */
  code: PlanErrorCode;
  /** The number of seconds that the provider asks to wait. Absent if it does not say. */
  retry_after_secs: number | null;
  /** `error.message` as a message of the catalog. Absent if it is the backend's own text. */
  said: Phrase | null;
  /** The tokens that the provider counted before the failure. Absent if it counted none. */
  usage: Usage | null;
}

/** The parameters of `inference.plan_more`: the new messages of a conversation that the sidecar keeps. The rest of the request is unchanged. If the sidecar does not have the conversation up to `base`, it answers with the error -32001. */
export interface PlanMore {
  /** The backend that makes the plan. */
  backend: BackendRef;
  /** The name under which the conversation is kept. */
  conversation: string;
  /** How much of the conversation the sidecar already has. */
  base: ConversationMark;
  /** The messages that follow. */
  messages: Message[];
}

/** A plan with its token usage. */
export interface PlanReply {
  /** The plan. The ids of its calls only need to be unique within the plan. */
  plan: AgentPlan;
  /** The tokens that the plan used. All zero if the provider does not report them. */
  usage: Usage;
}

/** A tool, as described to the planner. */
export interface ToolSpec {
  /** The name of the tool. */
  name: string;
  /** What the tool does and when to use it. */
  description: string;
  /** The JSON Schema of the tool's parameters. */
  parameters: unknown;
}

/** The parameters of `inference.plan`. */
export interface PlanRequest {
  /** The backend that makes the plan. */
  backend: BackendRef;
  /** The system text: the profile's prompt and the core's rules. */
  system: string;
  /** The conversation so far. The last message is never from the assistant. */
  messages: Message[];
  /** The tools that may be called. */
  tools: ToolSpec[];
  /** Earlier tasks of the same conversation, newest last. */
  earlier: EarlierTask[];
  /** The name under which the sidecar keeps the conversation. The next request then only needs to contain what is new. If absent, the sidecar does not keep the conversation. */
  conversation: string | null;
}

/** The price of a model or backend, per million tokens. */
export interface Price {
  /** The name of the model or the backend. A model's name may be a prefix. */
  of: string;
  /** The price of a million input tokens. */
  input: number;
  /** The price of a million input tokens from the provider's cache. */
  cached: number;
  /** The price of a million output tokens. */
  output: number;
  /** The date of the price that Deputy knows. Absent if the user configured the price. */
  as_of: string | null;
}

/** The kind of a profile file. */
export type ProfileFileKind =
  /** `scratchpad.md`: the notes of running tasks. */
  | "scratchpad"
  /** `conversation_history.json`: the conversations of the latest tasks. */
  | "history"
  /** `learned_preferences.toml`: the current preferences. */
  | "preferences";

/** A file of a profile. */
export interface ProfileFile {
  /** The name of the profile. */
  profile: string;
  /** The kind of file. */
  kind: ProfileFileKind;
  /** The path of the file. */
  path: string;
  /** The content of the file. Empty if it cannot be read. */
  text: string;
  /** Why changes in the file cannot be applied. Until then, Deputy does not write to the file. Absent if there is no problem. */
  problem: string | null;
}

/** A list of profile files. */
export interface ProfileFilesAnswer {
  answer: "profile_files";
  /** The files that exist, sorted by profile. */
  files: ProfileFile[];
}

/** Output that is not journaled. It may be lost. */
export interface Progress {
  type: "progress";
  /** The task. */
  task: string;
  /** The call that wrote the output. Absent if the text is the planner's. */
  call: string | null;
  /** The next piece of the text. */
  text: string;
}

/** The parameters of the notification `progress`. */
export interface ProgressParams {
  /** The id of the request that the text belongs to. */
  id: number;
  /** The next piece of the model's text. */
  text: string;
}

/** A piece of what was sent to the model and what it answered. */
export interface PromptAnswer {
  answer: "prompt";
  /** A piece of a JSON object with two fields: `sent`, in the format of `inference.plan`, and `received`, the step's events that contain the answer. */
  text: string;
  /** The byte at which the next piece starts. Absent at the end. */
  next: number | null;
}

/** The number of memories of a kind. */
export interface PruneCount {
  /** The kind. */
  kind: PruneKind;
  /** The number of memories. */
  memories: number;
}

/** The memories that pruning by a rule would forget. */
export interface PrunePreview {
  answer: "prune_preview";
  /** The number of memories. */
  memories: number;
  /** The number of memories of each kind. */
  kinds: PruneCount[];
  /** When the oldest of the memories was written. Absent if there are none. */
  oldest_ms: number | null;
  /** When the newest of the memories was written. Absent if there are none. */
  newest_ms: number | null;
  /** The beginnings of the newest few memories. */
  examples: string[];
}

/** The state at a position in the stream of events. */
export interface Snapshot {
  /** The sequence number of the last event that the state includes. */
  seq: number;
  /** The state. */
  state: AgentState;
}

/** The state of the agent. */
export interface StateAnswer {
  answer: "state";
  /** The snapshot. */
  snapshot: Snapshot;
}

/** A match of a search in a task: the newest text that contains all of the words. */
export interface SaidInTask {
  /** The task. */
  task: string;
  /** The sequence number of the event that contains the text. */
  event: number;
  /** The author of the text. */
  role: MemoryRole;
  /** When the text was written. */
  at_ms: number;
  /** An excerpt of the text around the words. */
  text: string;
}

/** A list of tasks. */
export interface TasksAnswer {
  answer: "tasks";
  /** The tasks, newest first. */
  tasks: TaskSummary[];
  /** The matches of the search: one for each task, newest first. */
  said: SaidInTask[];
}

/** One task. */
export interface TaskAnswer {
  answer: "task";
  /** The summary of the task. */
  task: TaskSummary;
}

/** A search provider that can be configured. */
export interface SearchChoice {
  /** The name of the provider. */
  name: string;
  /** The display name of the provider. */
  label: string;
  /** The provider's own address. If absent, an address has to be configured. */
  address: string | null;
  /** Whether the provider needs a key. */
  takes_key: boolean;
  /** Whether the provider is built in. Otherwise it is a file of the user. */
  shipped: boolean;
  /** Where the provider's key is looked up. Absent if no key is expected or no place is known. */
  key: KeyPlace | null;
  /** What is missing before the provider can be used. The keyring is not searched for a key. Absent if nothing is known to be missing. */
  problem: Phrase | null;
}

/** The settings of web search. */
export interface WebSearchSettings {
  /** The configured provider. Absent if there is none. */
  provider: string | null;
  /** The address of the provider. Absent if it is the provider's own address. */
  address: string | null;
  /** All providers: the built-in ones, then the user's own. */
  providers: SearchChoice[];
}

/** The settings of a host. */
export interface Settings {
  answer: "settings";
  /** The path of the settings file. */
  path: string;
  /** The host's current choices for new tasks. */
  choices: Choices;
  /** The settings of each backend, in the order of the choices. */
  backends: BackendSettings[];
  /** The maximum number of tasks that run at the same time. */
  max_concurrent_tasks: number;
  /** How the user is notified when something is waiting. */
  notify: NotifyChannels;
  /** The settings of web search. */
  search: WebSearchSettings;
  /** The names of changed settings that take effect after a restart. */
  after_restart: string[];
}

/** The result of checking the search provider. */
export interface SearchCheck {
  answer: "search_check";
  /** The name of the provider. Empty if none is configured. */
  provider: string;
  /** Why the provider cannot be used. Absent if it can. */
  problem: ErrorBody | null;
  /** The number of results. */
  results: number;
  /** How long the answer took, in milliseconds. */
  took_ms: number;
}

/** Everything that a task changed. */
export interface TaskDifference {
  answer: "difference";
  /** The files: those that calls changed, in order of their paths, then those that plans moved. */
  files: FileDifference[];
  /** The number of further files. */
  more_files: number;
  /** What was written into folders that hold only what programs make. */
  built: BuiltFolder[];
  /** The commits that the task made, newest first. */
  commits: NewCommit[];
  /** The branches that the task created. */
  branches: string[];
  /** What may matter after the task. Absent if there is nothing. */
  lasting: LastingChanges | null;
}

/** A rule of the user. */
export interface UserRule {
  /** The line of the rule in the file, from 1. */
  line: number;
  /** The decision on what the rule covers. */
  effect: Decision;
  /** What the rule covers, for people. */
  text: Phrase;
  /** The rule in the form in which a screen can change it. Absent if the rule can only be changed in the file. */
  command: CommandRule | null;
}

/** The contents of the rules file. */
export interface RulesAnswer {
  answer: "rules";
  /** The path of the rules file. The file may not exist. */
  path: string;
  /** The rules, in the order of the file. */
  rules: UserRule[];
  /** The error in the file. Until it is fixed, every call asks. Absent if the file is valid. */
  problem: Phrase | null;
}

/** The usage of a task in a quarter hour, by backend and model. */
export interface UsageRow {
  /** When the quarter hour started. */
  at_ms: number;
  /** The id of the task. */
  task: string;
  /** The goal of the task. */
  goal: string;
  /** The backend that answered. */
  backend: string;
  /** The model that was configured at the time. Absent if the backend names none. */
  model: string | null;
  /** The number of plans. */
  plans: number;
  /** Input tokens, including those from the provider's cache. */
  input_tokens: number;
  /** Output tokens, including reasoning tokens. */
  output_tokens: number;
  /** The part of the input tokens that came from the provider's cache. */
  cached_tokens: number;
  /** The part of the output tokens that the model spent on reasoning. */
  reasoning_tokens: number;
  /** The cost in millionths of the currency, by the prices at the time, or by the current prices if none were known then. Absent if the price is unknown. */
  cost_micros: number | null;
}

/** What the models used and cost. */
export interface UsageAnswer {
  answer: "usage";
  /** The tokens by quarter hour, task, backend and model, oldest first. */
  rows: UsageRow[];
  /** The current prices: the configured ones, then those that Deputy knows. */
  prices: Price[];
  /** The currency of the prices, e.g. `USD`. */
  currency: string;
  /** The usage of all tasks today, with the daily limits. */
  today: DaySpent;
}

/** The scan is finding and examining files. */
export interface ScanLooking {
  stage: "looking";
  /** The number of files that were examined so far. */
  files: number;
}

/** The scan is comparing the contents of possible duplicates. */
export interface ScanComparing {
  stage: "comparing";
  /** The number of files that were compared so far. */
  done: number;
  /** The total number of files to compare. */
  total: number;
}

/** The numbers of files and folders that a scan skipped, by reason. */
export interface ScanLeftOut {
  /** Hidden or secret files and folders. */
  hidden: number;
  /** Links and special files. */
  special: number;
  /** Names that are not valid UTF-8. */
  unnameable: number;
  /** Files and folders that could not be read. */
  unreadable: number;
}

/** The result of a scan, and the plan that was drafted for it. */
export interface ScanDrafted {
  stage: "drafted";
  /** The id of the draft. Absent if there is nothing to do. */
  draft: string | null;
  /** The number of files that were scanned. */
  files: number;
  /** The total size of the scanned files in bytes. */
  bytes: number;
  /** The number of surplus copies among the scanned files. */
  copies: number;
  /** Naming conventions that the files could follow, most likely first. */
  conventions: ConventionCard[];
  /** Files at the top level that the plan leaves in place, with the reason; at most 50. */
  left_alone: PathNote[];
  /** The number of files that were left in place, up to 10,000. */
  left_alone_count: number;
  /** What was not scanned. */
  left_out: ScanLeftOut;
  /** The number of operations that did not fit into the plan. */
  too_many: number;
}

/** The scan failed or was stopped. */
export interface ScanFailed {
  stage: "failed";
  /** The error. */
  error: ErrorBody;
}

/** The state of a scan. */
export type ScanStage =
  /** The scan is finding and examining files. */
  | ScanLooking
  /** The scan is comparing the contents of possible duplicates. */
  | ScanComparing
  /** The scan is done. */
  | ScanDrafted
  /** The scan failed or was stopped. */
  | ScanFailed;

/** The state of a scan. */
export interface ScanAnswer {
  answer: "scan";
  /** The id of the scan. */
  scan: string;
  /** The state of the scan. */
  stage: ScanStage;
}

/** The answer to a query. */
export type QueryAnswer =
  /** The state of the agent. */
  | StateAnswer
  /** A list of tasks. */
  | TasksAnswer
  /** One task. */
  | TaskAnswer
  /** A list of events. */
  | EventsAnswer
  /** A list of grants. */
  | GrantsAnswer
  /** The past calls that a grant would have allowed. */
  | GrantPreview
  /** The live console of a task. */
  | Console
  /** A list of devices. */
  | DevicesAnswer
  /** The latest pairing. */
  | PairingAnswer
  /** The choices for a new task. */
  | ChoicesAnswer
  /** The settings of the host. */
  | Settings
  /** The result of checking a backend. */
  | BackendCheck
  /** The result of checking the search provider. */
  | SearchCheck
  /** Model servers on this machine. */
  | LocalServers
  /** The results of the checks of `deputy doctor`. */
  | DoctorAnswer
  /** What a task changed. */
  | TaskDifference
  /** The decision on a shell command. */
  | Explanation
  /** The user's own rules. */
  | RulesAnswer
  /** What the models used and cost. */
  | UsageAnswer
  /** A piece of what was sent to the model and what it answered. */
  | PromptAnswer
  /** Folders that complete a path. */
  | FoldersAnswer
  /** The state of a scan. */
  | ScanAnswer
  /** The result of trying a draft. */
  | DraftAnswer
  /** A list of jobs. */
  | JobsAnswer
  /** A page of memories. */
  | MemoriesAnswer
  /** The number of memories that can be found by meaning. */
  | MemoryStatsAnswer
  /** The memories that pruning would forget. */
  | PrunePreview
  /** The files of profiles. */
  | ProfileFilesAnswer
  /** Folders whose documents can be recalled. */
  | IndexedFoldersAnswer
  /** A piece of a command's complete output. */
  | OutputAnswer
  /** A piece of a picture. */
  | PictureAnswer
  /** The browser of a task. */
  | BrowserAnswer;

/** The reply to a query. */
export interface QueryReply {
  type: "query_reply";
  /** The id of the query. */
  id: string;
  /** The answer. */
  answer: QueryAnswer;
}

/** The hello was accepted. */
export interface Welcome {
  type: "welcome";
  /** The host's protocol version. */
  protocol: number;
  /** The host's version. */
  version: string;
  /** The sequence number of the newest event. */
  seq: number;
  /** What this connection may do. */
  scopes: DeviceScope[];
  /** Whether the connection belongs to the host's own user. Only such a connection can see devices and settings. */
  local: boolean;
}

/** A message with the state. */
export interface SnapshotMessage {
  type: "snapshot";
  /** The snapshot. */
  snapshot: Snapshot;
}

/** A message from the host to a client. */
export type ServerMessage =
  /** The challenge that the client has to sign. It is the first message, except over the Unix socket. */
  | Challenge
  /** The hello was accepted. The events after `resume_from`, or a snapshot, follow. */
  | Welcome
  /** The state. Later messages update it. */
  | SnapshotMessage
  /** An event of the journal. */
  | EventMessage
  /** Output that is not journaled, for example streamed text. */
  | Progress
  /** The progress of a job over files. */
  | JobProgress
  /** Something needs a person's attention, or no longer does. */
  | Notice
  /** The reply to a command. */
  | CommandReply
  /** The reply to a query. */
  | QueryReply
  /** The message with this id, or the connection, failed. */
  | ErrorMessage;

/** A session that was opened over HTTP. */
export interface Session {
  /** The secret of the session. It is sent in the hello of a WebSocket, or after `Authorization: Bearer`. */
  session: string;
  /** When the session ends. */
  expires_at_ms: number;
  /** What the session may do. */
  scopes: DeviceScope[];
}

/** A request to open a session over HTTP. */
export type SessionRequest =
  /** A one-time link opens the session. */
  | LinkSession
  /** A device that signed a challenge opens the session. */
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
