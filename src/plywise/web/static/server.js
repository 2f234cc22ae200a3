// Requests to the server, for a response, an object or a stream of events.  A failure throws an Error with a message to show
// and, where a text was wrong, its `place` there.

const MOMENT = 700; // milliseconds

/** The server's response; posts if there is a body. */
export async function ask(path, body, options = {}) {
  const request = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  const response = await answered(fetch(path, { ...request, ...options }));
  if (response.ok) return response;
  const { detail, place } = await response.json().catch(() => ({}));
  throw Object.assign(new Error(sentence(detail ?? `The server answered ${response.status}.`)), { place });
}

/** The server's response as an object. */
export async function api(path, body, options) {
  return (await ask(path, body, options)).json();
}

/**
 * Server-sent events of a POST request, which EventSource cannot do.  Leaving the loop, or aborting the signal, closes the
 * connection and so stops the work on the server.
 */
export async function* events(path, body, signal) {
  const response = await ask(path, body, { signal });
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

/** The value of a promise; if it takes longer than a moment, `say` shows a notice. */
export async function patiently(promise, say) {
  const timer = setTimeout(() => say("One moment: searching, or waiting for another search to finish."), MOMENT);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    say("");
  }
}

/** The value of a network promise; throws a readable Error if the server is gone. */
async function answered(promise) {
  try {
    return await promise;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not respond. Is plywise serve still running?");
  }
}

/** The server's message as a sentence, with a capital and a full stop. */
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}
