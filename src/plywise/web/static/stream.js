// Server-sent events of a request that posts something, which EventSource cannot do.  Who stops listening (break, or an
// aborted signal) closes the connection, and so ends what the server does for it.

import { answered, posted, reach } from "./server.js";

export async function* events(path, body, signal) {
  const response = await reach(path, posted(body, { signal }));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  try {
    while (true) {
      const { value, done } = await answered(reader.read());
      if (done) return;
      const parts = (text + value).split("\n\n");
      text = parts.pop();
      for (const part of parts) {
        const fields = Object.fromEntries(part.split("\n").map((line) => {
          const colon = line.indexOf(": ");
          return [line.slice(0, colon), line.slice(colon + 2)];
        }));
        yield { name: fields.event, data: JSON.parse(fields.data) };
      }
    }
  } finally {
    reader.cancel().catch(() => {});
  }
}
