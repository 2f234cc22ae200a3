// How the page reaches its server.  What goes wrong is an Error with a sentence for people, except an AbortError: then
// somebody here has lost interest.

const MOMENT = 700; // milliseconds

/** What is asked for with a body. */
export function posted(body, options = {}) {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body), ...options };
}

/** The response to a request that the server agrees with. */
export async function reach(path, request) {
  const response = await answered(fetch(path, request));
  if (response.ok) return response;
  const answer = await response.json().catch(() => ({}));
  throw new Error(answer.detail ?? `The server answered ${response.status}.`);
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
export async function answered(promise) {
  try {
    return await promise;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not answer. Is plywise serve still running?");
  }
}
