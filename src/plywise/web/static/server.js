// Asking the server: an answer, an object, or a stream of events.  What goes wrong is an Error with a sentence to show.

const MOMENT = 700; // milliseconds

/** The server's answer; posts if there is a body. */
export async function ask(path, body, options = {}) {
  const request = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  };
  const response = await answered(fetch(path, { ...request, ...options }));
  if (response.ok) return response;
  const { detail } = await response.json().catch(() => ({}));
  throw new Error(sentence(detail ?? `The server answered ${response.status}.`));
}

/** The server's answer as an object. */
export async function api(path, body, options) {
  return (await ask(path, body, options)).json();
}

/**
 * Server-sent events of a request that posts something, which EventSource cannot do.  Who stops listening (break, or an
 * aborted signal) closes the connection, and so ends what the server does for it.
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

/** What a promise brings; whoever waits for it longer than a moment is told so by `say`. */
export async function patiently(promise, say) {
  const timer = setTimeout(() => say("One moment: the search is at work, or waits for another one to end."), MOMENT);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    say("");
  }
}

/** What a promise of the network's brings; says so if there is no server any more. */
async function answered(promise) {
  try {
    return await promise;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not answer. Is plywise serve still running?");
  }
}

/** What the server says, which also stands in the middle of other texts, as a sentence. */
export function sentence(text) {
  return text.charAt(0).toUpperCase() + text.slice(1) + (/[.!?]$/.test(text) ? "" : ".");
}
