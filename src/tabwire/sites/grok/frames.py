"""A frame: one step of an answer, as a stream of grok.com or x.com tells it.

Words are what is neither marked as thinking nor as a tool's doing. With several agents at
work (`rolloutId`) only pieces tagged final are words; the rest is agents talking to each
other. The stored response at the end has the last word on the text.
"""

from typing import Any

from tabwire.model.conversation import Role, TurnState
from tabwire.model.signals import (
    Cited,
    ModelNamed,
    PromptEchoed,
    Signal,
    TextGrew,
    TextReplaced,
    ThoughtGrew,
    ThoughtReplaced,
    ToolStepped,
    TurnConfirmed,
    TurnEnded,
)
from tabwire.sites.grok.cards import CardFilter, ToolCard
from tabwire.sites.grok.chat import Chat, unnamed_answer
from tabwire.sites.grok.cites import read_card
from tabwire.sites.grok.fields import dict_at, is_person, model_in, steering_in, text_at
from tabwire.sites.grok.responses import Pieces, Response, read_response, streamed_media
from tabwire.sites.grok.shapes import is_known, is_stored, is_x_frame, structured_card

FINAL_TAGS = frozenset({"final", "final_long"})
THOUGHT_TAGS = frozenset({"header", "summary"})
TOOL_TAGS = frozenset(
    {"tool_usage_card", "function", "function_call", "raw_function_result", "decision"}
)


class FrameReader:
    """Takes the frames of one stream in order."""

    def __init__(self, chat: Chat) -> None:
        self.chat = chat
        self.ended = False  # whether a mark of the end was seen
        self._live: dict[str, Response] = {}
        self._current: str | None = None  # the answer the last frame was about
        self._question: str | None = None
        self._before: frozenset[str] = frozenset()  # the question, and all that it follows
        self._is_x = False
        self._filters: dict[tuple[str, bool, str], CardFilter] = {}
        self._blocks: dict[str, tuple[str, ...]] = {}
        self._cards_told: set[str] = set()
        self._model: str | None = None
        self._stopped: str | None = None  # the answer that stopped and is not stored yet

    def take_token(self, frame: dict[str, Any]) -> list[Signal]:
        """A frame of which `token_frame` says that it holds a token and nothing else."""
        signals: list[Signal] = []
        self._take_piece(frame, signals)
        return signals

    def take(self, frame: dict[str, Any], signals: list[Signal]) -> bool:
        """What this frame says; False where it is none that we know."""
        if is_x_frame(frame):
            self._is_x = True
            self._current = text_at(frame, "responseChatItemId", "agentChatItemId") or self._current
        if not self._is_x and is_stored(frame):
            self._take_stored(frame, signals, opens=False)
            return True
        if asked := dict_at(frame, "userResponse"):
            self._take_stored(asked, signals, opens=False, role=Role.USER)
        steering = model_in(frame) if self._is_x else None
        if steering := steering or steering_in(frame):
            self._answer(frame).steering = steering
            self._name_model(steering, signals)
        self._take_piece(frame, signals)
        self._take_media(frame, signals)
        if stored := dict_at(frame, "modelResponse"):
            self._take_stored(stored, signals, opens=True, frame_id=text_at(frame, "responseId"))
        if frame.get("isSoftStop") is True and frame.get("isThinking") is not True:
            self._soft_stop(self._answer(frame), signals)
        if "finalMetadata" in frame:
            self.ended = True
            signals.append(TurnConfirmed("final_metadata"))
        return is_known(frame) or (self._is_x and "message" in frame)

    def flush(self) -> list[Signal]:
        """Give out what was held back: no more frames will come."""
        signals: list[Signal] = []
        for response in list(self._live.values()):
            self._release(response, signals)
        if (stopped := self._live.get(self._stopped or "")) is not None:
            stopped.proofs.clear()
            self._end(stopped, _soft_proof(stopped), signals)
        return signals

    def fail(self) -> None:
        """The site refused: what was being written will not be finished."""
        for response in self._live.values():
            if response.state is TurnState.RUNNING:
                response.state = TurnState.FAILED

    # Whose frame it is

    def _answer(self, frame: dict[str, Any]) -> Response:
        stated = text_at(frame, "responseChatItemId", "responseId")
        if stated and self._is_before(stated):
            stated = unnamed_answer(self._question)  # it names what it answers
        answer_id = stated or self._current or unnamed_answer(self._question)
        self._current = answer_id
        if found := self._live.get(answer_id):
            return found
        answer = Response(answer_id, is_named=answer_id != unnamed_answer(self._question))
        self._adopt(answer)
        # An answer known whole stays so while a reconnect repeats it.
        if not self.chat.is_finished(answer_id):
            self._keep(answer)
        return answer

    def _is_before(self, response_id: str) -> bool:
        """Whether this is no answer being written: a question, or what the question follows."""
        if self._is_x:
            return False
        known = self.chat.responses.get(response_id)
        if known is not None and known.role is Role.USER and response_id not in self._before:
            self._ask(response_id)
        return response_id in self._before

    def _ask(self, question: str) -> None:
        """This is the question that is answered now. Words that came under the name of what
        stands before it are the answer's."""
        self._question, self._before = question, self.chat.way_to(question)
        for wrong in [one for one in self._live.values() if one.id in self._before]:
            del self._live[wrong.id]
            self.chat.forget(wrong)
            if wrong.state is not TurnState.RUNNING or wrong.proofs:
                continue
            old, wrong.id, wrong.is_named = wrong.id, unnamed_answer(question), False
            self._filters = {
                (wrong.id if key[0] == old else key[0], *key[1:]): held
                for key, held in self._filters.items()
            }
            if old in self._blocks:
                self._blocks[wrong.id] = self._blocks.pop(old)
            wrong.parent = None
            self._adopt(wrong)
            self._keep(wrong)

    def _adopt(self, answer: Response) -> None:
        self._live[answer.id] = answer
        self._current = answer.id
        if not answer.parent and not self._is_x and not self.chat.parent_of(answer.id):
            answer.parent = self._question if self._question != answer.id else None

    def _keep(self, response: Response) -> None:
        if self._is_x:
            self.chat.line_up([response])
        else:
            self.chat.put(response)

    # Pieces

    def _take_piece(self, frame: dict[str, Any], signals: list[Signal]) -> None:
        piece = frame.get("token") if not self._is_x else frame.get("message")
        tool = dict_at(frame, "toolUsageCard")
        if tool:
            self._tell_tool(structured_card(tool), self._answer(frame), signals)
        if not isinstance(piece, str) or not piece:
            return
        if self._is_x and is_person(frame):
            signals.append(PromptEchoed(piece))
            return
        answer = self._answer(frame)
        tag = text_at(frame, "messageTag").lower()
        agent = text_at(frame, "rolloutId")
        is_thought = (
            frame.get("isThinking") is True
            or tag in THOUGHT_TAGS
            or tag in TOOL_TAGS
            or bool(agent and tag not in FINAL_TAGS)
        )
        words, cards = self._filter(answer.id, is_thought, agent).feed(piece)
        for card in cards:
            self._tell_tool(card, answer, signals)
        if not words:
            return
        if not is_thought:
            self._grow(answer, words, signals)
        elif tag not in TOOL_TAGS:
            block = (agent, str(frame.get("messageStepId", "")), tag)
            self._think(answer, words, block, signals)
        elif words.strip() and tag != "tool_usage_card":
            signals.append(ToolStepped(tag, words, answer.told_id))

    def _filter(self, answer_id: str, is_thought: bool, agent: str) -> CardFilter:
        return self._filters.setdefault((answer_id, is_thought, agent), CardFilter())

    def _grow(self, answer: Response, words: str, signals: list[Signal]) -> None:
        if answer.state is not TurnState.RUNNING or self._stopped == answer.id:
            answer.state = TurnState.RUNNING  # more came after what looked like the end
            answer.proofs.clear()
            self._stopped = None
        answer.text.add(words)
        signals.append(TextGrew(words, answer.told_id))

    def _think(
        self, answer: Response, words: str, block: tuple[str, ...], signals: list[Signal]
    ) -> None:
        # A new header, step or agent begins a new line, or their words would run together.
        last = self._blocks.get(answer.id)
        if last is not None and (last != block or block[2] == "header"):
            words = words if answer.thoughts.ends_line else "\n" + words
        self._blocks[answer.id] = block
        answer.thoughts.add(words)
        signals.append(ThoughtGrew(words, answer.told_id))

    def _tell_tool(self, card: ToolCard, answer: Response, signals: list[Signal]) -> None:
        if card.id and card.id in self._cards_told:
            return  # the same card stands in the frame and in its token
        self._cards_told.add(card.id)
        signals.append(ToolStepped(card.name, card.args, answer.told_id))

    def _take_media(self, frame: dict[str, Any], signals: list[Signal]) -> None:
        if card := read_card(dict_at(frame, "cardAttachment").get("jsonData")):
            self._answer(frame).cards.append(card)
        for made in streamed_media(frame):
            answer = self._answer(frame)
            if answer.attach(made):
                signals.append(ToolStepped(made.kind, made.ref, answer.told_id))

    # Ends

    def _soft_stop(self, answer: Response, signals: list[Signal]) -> None:
        """The words are over. On grok.com the stored response follows and may correct them:
        until it came, or the stream closed without it, nobody is told that this is the text.
        """
        self._release(answer, signals)
        if answer.state is TurnState.FINISHED or not answer.has_content:
            return
        if self._is_x:
            self._end(answer, _soft_proof(answer), signals)
        elif self._stopped != answer.id:
            self._stopped = answer.id
            self.ended = True
            answer.proofs.append(_soft_proof(answer))
            signals.append(TurnConfirmed(_soft_proof(answer)))

    def _end(self, answer: Response, proof: str, signals: list[Signal]) -> None:
        self._stopped = None
        answer.state = TurnState.FINISHED
        answer.proofs.append(proof)
        self._keep(answer)
        self.ended = True
        if references := answer.as_turn(None).references:
            signals.append(Cited(references, answer.told_id))
        signals.append(TurnEnded(proof, answer.told_id))

    def _release(self, answer: Response, signals: list[Signal]) -> None:
        for (answer_id, is_thought, agent), held in list(self._filters.items()):
            if answer_id != answer.id:
                continue
            words, cards = held.close()
            del self._filters[answer_id, is_thought, agent]
            for card in cards:
                self._tell_tool(card, answer, signals)
            if words and is_thought:
                answer.thoughts.add(words)
                signals.append(ThoughtGrew(words, answer.told_id))
            elif words:
                self._grow(answer, words, signals)

    # Whole responses

    def _take_stored(
        self,
        stored: dict[str, Any],
        signals: list[Signal],
        *,
        opens: bool,
        frame_id: str = "",
        role: Role | None = None,
    ) -> None:
        """A response object. `opens`: it may be the empty one that opens a reconnect."""
        fallback = frame_id or (self._current or unnamed_answer(self._question) if opens else "")
        response = read_response(stored, fallback, Role.ASSISTANT if opens else role)
        if response is None:
            return
        if response.role is Role.USER:
            self.chat.put(response)
            self._ask(response.id)
            if response.text.filled:
                signals.append(PromptEchoed(str(response.text), response.id))
            return
        if opens and self._is_before(response.id):
            response.id, response.is_named = unnamed_answer(self._question), False
        if opens and not response.has_content:
            self._open(response)
            return
        if opens and not text_at(stored, "sender"):
            response.state = TurnState.RUNNING
            response.proofs.clear()
        self._take_whole_answer(response, signals)

    def _open(self, response: Response) -> None:
        """An empty response: it opens a reconnect, and it is the end of nothing."""
        if live := self._live.get(response.id):
            live.inherit(response)
            return
        response.state = TurnState.RUNNING
        self._adopt(response)
        if not self.chat.is_finished(response.id):
            self._keep(response)

    def _take_whole_answer(self, response: Response, signals: list[Signal]) -> None:
        live = self._live.get(response.id) or self._unnamed(response)
        thought_before = live is not None and live.thoughts.filled
        proofs = live.proofs if live is not None else []
        self._tell_difference(live.text if live is not None else Pieces(), response, signals)
        if response.thoughts.filled and not thought_before:
            signals.append(ThoughtReplaced(str(response.thoughts), response.told_id))
        self._adopt(response)
        if response.model:
            self._name_model(response.model, signals)
        if response.proofs:
            response.proofs = proofs
            proof = "model_response" if response.text.filled else "media_response"
            self._end(response, proof, signals)
        elif not self.chat.is_finished(response.id):
            self._keep(response)

    def _unnamed(self, response: Response) -> Response | None:
        """The answer whose words came without its id, where this can be that answer."""
        question = response.parent or self._question
        for unnamed in {unnamed_answer(question), unnamed_answer(None)}:
            live = self._live.get(unnamed)
            if live is not None and response.role is Role.ASSISTANT:
                del self._live[unnamed]
                self.chat.forget(live)
                self._drop_held(unnamed)
                response.inherit(live)
                return live
        return None

    def _tell_difference(self, told: Pieces, response: Response, signals: list[Signal]) -> None:
        self._drop_held(response.id)
        before, now = str(told), str(response.text)
        if now == before:
            return
        if now.startswith(before):
            signals.append(TextGrew(now[len(before) :], response.told_id))
        else:
            signals.append(TextReplaced(now, response.told_id))

    def _drop_held(self, answer_id: str) -> None:
        """The stored text holds what a filter still held back."""
        self._filters = {key: held for key, held in self._filters.items() if key[0] != answer_id}

    def _name_model(self, model: str, signals: list[Signal]) -> None:
        if model != self._model:
            self._model = model
            signals.append(ModelNamed(model))


def _soft_proof(answer: Response) -> str:
    return "soft_stop" if answer.text.filled else "media_soft_stop"
