"""What only a real browser can tell: a broken stream, a WebSocket over TLS, a large upload."""

import json

import pytest

from tabwire.lab.ledger import Deed

pytestmark = pytest.mark.asyncio

HOME = "https://chatgpt.com/"
MEGABYTES = 20

# Asks as the page does, and reads to the end: how it ended, and what came.
TOOLS = """
const headers = {"content-type": "application/json", authorization: "Bearer lab-x",
                 "oai-device-id": "d"};
const post = (path, body) => fetch(path, {method: "POST", headers, body: JSON.stringify(body)});
const ask = (prompt) => post("/backend-api/f/conversation", {messages: [{author: {role: "user"},
  content: {content_type: "text", parts: [prompt]}}]});
const whole = async (response) => {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return { end: "whole", text };
      text += value;
    }
  } catch (error) {
    return { end: error.name, text };
  }
};
"""


async def run(lab_tab, script):
    person = await lab_tab(HOME)
    return await person.finds("(async () => {" + TOOLS + script + "})()")


async def test_a_cut_breaks_one_stream_and_no_other(lab_tab, caplog):
    found = await run(
        lab_tab,
        """
        const other = ask("lab: pieces=60 every=0.04 carried one").then(whole);
        const cut = await ask("lab: story=cut pieces=20 every=0.05 carried two").then(whole);
        return { cut, other: await other };
        """,
    )
    assert found["cut"]["end"] == "TypeError"
    assert found["cut"]["text"].count('data: {"v"') > 5  # half of it had come
    assert "message_stream_complete" not in found["cut"]["text"]
    assert found["other"]["end"] == "whole"
    assert "message_stream_complete" in found["other"]["text"]
    assert "Broken" not in caplog.text


async def test_the_rest_comes_over_a_websocket(lab_tab):
    found = await run(
        lab_tab,
        """
        const { text } = await ask("lab: story=socket-reorder pieces=20 every=0.005").then(whole);
        const line = text.split("\\n").find((line) => line.includes("stream_handoff"));
        const topic = JSON.parse(line.slice(6)).options[0].topic_id;
        const socket = new WebSocket(`wss://ws.chatgpt.com/p/${topic}/ws?conversation_id=x`);
        const offsets = [];
        return new Promise((settle) => {
          socket.onmessage = ({ data }) => {
            const said = JSON.parse(data);
            if (said.payload.type === "conversation-turn-complete") socket.close();
            else offsets.push(said.offset);
          };
          socket.onclose = ({ wasClean }) => settle({ offsets, wasClean });
        });
        """,
    )
    assert found["wasClean"]
    assert found["offsets"] != sorted(found["offsets"])
    assert sorted(found["offsets"]) == list(range(len(found["offsets"])))


async def test_a_large_file_arrives_whole(lab_tab, lab):
    name = "carried.bin"
    status = await run(
        lab_tab,
        f"""
        const announced = await post("/backend-api/files", {{file_name: {json.dumps(name)}}});
        const told = await announced.json();
        const body = new Uint8Array({MEGABYTES} * 1024 * 1024).fill(65);
        return (await fetch(told.upload_url, {{method: "PUT", body}})).status;
        """,
    )
    assert status == 201
    (entry,) = (one for one in lab.ledger.of(Deed.UPLOAD) if one.files == (name,))
    assert entry.bytes == MEGABYTES * 1024 * 1024
