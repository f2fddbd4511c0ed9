"""Makes plans with a model over HTTP: the part that does not depend on the provider's dialect."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager
from typing import Any, ClassVar, Final, Generic, NoReturn, TypeVar

import msgspec

from deputy_sidecar.backend import AgentPlan, CompleteReply, Conversation, PlanReply, ToolSpec
from deputy_sidecar.errors import BackendError, BadResponseError, BadSettingsError, NetworkError
from deputy_sidecar.generated import messages as say
from deputy_sidecar.provider.answer import Answer
from deputy_sidecar.provider.circle import Circle
from deputy_sidecar.provider.client import Client, RefusedError
from deputy_sidecar.provider.failures import Refusal
from deputy_sidecar.provider.markup import has_open_call, read_markup
from deputy_sidecar.provider.plan import ASK_USER, plan_from_answer, without_inline_thought
from deputy_sidecar.provider.settings import ProviderSettings, read_settings
from deputy_sidecar.provider.transcript import Dialect, Transcript, encode, wire_name
from deputy_sidecar.untrusted import RULE

__all__ = ["HttpBackend"]

S = TypeVar("S", bound=ProviderSettings)

# The maximum length of a server's reason in an error.
LONGEST_REASON_CHARS: Final = 60
ASK_USER_DESCRIPTION: Final = (
    "Ask the user one question and wait for the answer. Only for what you cannot find out yourself."
)
ASK_USER_PARAMETERS: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"question": {"type": "string"}},
    "required": ["question"],
    "additionalProperties": False,
}

# For models without their own tool calling.
TEXT_TOOLS: Final = """\
You act by calling tools. Answer with one JSON object and nothing else:
{"reasoning": "why, in a sentence", "tool_calls": [{"tool": "NAME", "parameters": {...}}], "question": null, \
"is_complete": false, "summary": null}
To ask the user, set "question". When the task is done, set "is_complete" to true and "summary" to the answer.
The tools, with the JSON Schema of their parameters:
"""


class _Tools(msgspec.Struct, frozen=True):
    """The encoded tools of a request, cached as long as they do not change."""

    native: bytes
    as_text: str
    names: dict[str, str]
    # The parameters of each tool, by its own name.
    schemas: dict[str, Any]


@contextmanager
def _counted(answer: Answer) -> Iterator[None]:
    """Adds the provider's token count to a failure, because unusable answers cost money too."""
    try:
        yield
    except BackendError as error:
        if answer.usage.input_tokens or answer.usage.output_tokens:
            error.usage = answer.usage
        raise


class HttpBackend(Generic[S]):
    """A backend over HTTP. A subclass defines the request and the parsing of the answer; see the shipped ones."""

    name = ""
    settings_kind: ClassVar[type[ProviderSettings]]
    dialect_kind: ClassVar[type[Dialect]]

    def __init__(self) -> None:
        self._take_settings(msgspec.convert({}, self.settings_kind))
        self._tools: tuple[bytes, _Tools] | None = None

    def path(self) -> str:
        """The path for plans, below the base address."""
        raise NotImplementedError

    def body(self, system: str, messages: bytes, tools: bytes) -> bytes:
        """Assembles the request from JSON parts. `tools` is empty if none are offered."""
        raise NotImplementedError

    def answer(self, names: Mapping[str, str]) -> Answer:
        """A new, empty answer."""
        raise NotImplementedError

    def tools(self, specs: list[tuple[str, str, Any]]) -> bytes:
        """Encodes tools (name, description, parameters) for the provider."""
        raise NotImplementedError

    def learn_from(self, refusal: Refusal) -> bool:
        """Returns whether to retry the request without what was refused. Remembers what that is."""
        return False

    async def prepare(self) -> AsyncGenerator[str]:
        """Prepares a request. Yields text to show meanwhile."""
        return
        yield ""

    def configure(self, settings: Mapping[str, Any]) -> None:
        """Takes the settings. Connects only at the first request."""
        self._take_settings(read_settings(self.settings_kind, settings))

    async def plan(self, request: Conversation) -> AsyncIterator[str | AgentPlan | PlanReply]:
        """Streams the model's text, then yields its plan."""
        self._need_model()
        tools = self._encode_tools(request)
        answer = self.answer(tools.names)
        with _counted(answer):
            async with aclosing(self._answered(answer, lambda: self._plan_body(request, tools))) as pieces:
                async for text in pieces:
                    yield text
            if not answer.calls and not answer.text.strip():
                self._refuse_nothing(answer)
            self._refuse_broken_call(answer)
            is_native = self.has_native_tools
            plan = plan_from_answer(answer, tools.names, tools.schemas, is_native=is_native)
        state = answer.state()
        if state is not None:
            written = encode({"owner": self._owner, "state": state}).decode()
            plan = msgspec.structs.replace(plan, provider_state=written)
        yield PlanReply(plan=plan, usage=answer.counted())

    async def complete(self, system: str, prompt: str) -> CompleteReply:
        """Completes a single prompt."""
        self._need_model()
        dialect = self.dialect_kind(self._owner)
        parts = [dialect.system(system) if system else b"", dialect.user(prompt)]
        messages = b"[" + b",".join(part for part in parts if part) + b"]"
        answer = self.answer({})
        with _counted(answer):
            async for _ in self._answered(answer, lambda: self.body(system, messages, b"")):
                pass
        return CompleteReply(text=answer.text, usage=answer.counted())

    async def close(self) -> None:
        """Closes the connections."""
        await self.client.close()

    async def ask(self, method: str, path: str, body: Any = None) -> dict[str, Any]:
        """Returns the object in the answer to a plain request."""
        try:
            return await self.client.request(method, path, None if body is None else encode(body))
        except RefusedError as refused:
            raise refused.error from None

    def _take_settings(self, settings: Any) -> None:
        self.settings: S = settings
        self.client = Client(settings)
        self._owner = f"{self.name}/{settings.model}"
        self._native = Transcript(self.dialect_kind(self._owner))
        self._as_text = Transcript(self.dialect_kind(self._owner, native_tools=False))
        self.has_native_tools = True
        # Whether the last answer ended without any reason.
        self._names_no_reason = False

    def _need_model(self) -> None:
        if not self.settings.model:
            raise BadSettingsError(say.no_model(backend=self.name))

    async def _answered(self, answer: Answer, make_body: Callable[[], bytes]) -> AsyncGenerator[str]:
        """Streams into `answer`. If the provider refuses an optional part, sends the request again without it."""
        circle = Circle()
        while True:
            try:
                async with aclosing(self.prepare()) as pieces:
                    async for piece in pieces:
                        yield piece
                answer.body = make_body()
                async with aclosing(self.client.stream(self.path(), answer.body, answer.error_in)) as chunks:
                    async for chunk in chunks:
                        if chunk is None:
                            answer.is_done = True
                        elif text := answer.take(chunk):
                            yield text
                            if circle.closes(text):
                                self._refuse_repetition()
                break
            except RefusedError as refused:
                if answer.has_begun or not self.learn_from(refused.refusal):
                    raise refused.error from None
        if not answer.has_begun:
            raise BadResponseError(self.settings.asked(say.nothing_of_a_model()))
        self._check_end(answer)

    def _check_end(self, answer: Answer) -> None:
        """Refuses an answer that broke off. The core asks again.

        A server that marks the end but names no reason for it may have broken off politely. If it does that twice in a
        row, it never names one.
        """
        if not answer.broke_off and answer.finish_reason:
            self._names_no_reason = False
            return
        if not answer.broke_off and self._names_no_reason:
            answer.names_no_reason = True
            return
        self._names_no_reason = not answer.broke_off
        why = say.broke_off_in_answer()
        if answer.is_done:
            reason = answer.finish_reason[:LONGEST_REASON_CHARS]
            why = say.broke_off_because(reason=reason) if reason else say.broke_off_without_reason()
        raise NetworkError(self.settings.asked(why), retry_after_secs=0.0)

    def _refuse_repetition(self) -> NoReturn:
        raise BadResponseError(self.settings.asked(say.repeats_itself()))

    def _refuse_broken_call(self, answer: Answer) -> None:
        """Refuses an answer that ends in a call as text that cannot be read. It is not a final answer."""
        is_cut_off = answer.finish_reason == "length"
        text, _ = without_inline_thought(answer.text, "")
        if answer.calls or not has_open_call(text, is_cut_off=is_cut_off):
            return
        if is_cut_off:
            raise BadResponseError(self.settings.asked(say.call_cut_off()))
        if read_markup(text) is None:
            raise BadResponseError(self.settings.asked(say.call_unreadable()))

    def _refuse_nothing(self, answer: Answer) -> NoReturn:
        """Returns the error for an empty answer, which is not a final answer. On a retry, most models answer."""
        why = say.empty_answer()
        if answer.finish_reason == "length":
            why = say.limit_before_answer()
        elif answer.finish_reason == "content_filter":
            why = say.content_filter()
        raise BadResponseError(self.settings.asked(why))

    def _plan_body(self, request: Conversation, tools: _Tools) -> bytes:
        if self.has_native_tools:
            system = f"{request.system}\n\n{RULE}"
            return self.body(system, self._native.encode(system, request.raw_messages, request.earlier), tools.native)
        system = f"{request.system}\n\n{RULE}\n\n{TEXT_TOOLS}{tools.as_text}"
        return self.body(system, self._as_text.encode(system, request.raw_messages, request.earlier), b"")

    def _encode_tools(self, request: Conversation) -> _Tools:
        key = bytes(request.raw_tools)
        if self._tools is None or self._tools[0] != key:
            self._tools = (key, self._read_tools(request.tools))
        return self._tools[1]

    def _read_tools(self, tools: list[ToolSpec]) -> _Tools:
        names: dict[str, str] = {}
        specs: list[tuple[str, str, Any]] = []
        for tool in tools:
            wire = wire_name(tool.name)
            if wire not in names:
                names[wire] = tool.name
                specs.append((wire, tool.description, tool.parameters))
        if ASK_USER not in names:
            specs.append((ASK_USER, ASK_USER_DESCRIPTION, ASK_USER_PARAMETERS))
        as_text = "\n".join(f"{tool.name}: {tool.description}\n{encode(tool.parameters).decode()}" for tool in tools)
        schemas = {tool.name: tool.parameters for tool in tools}
        return _Tools(self.tools(specs), as_text, names, schemas)
