// The API: JSON in and out; every failure is a Problem with a sentence and a remedy.

export class Problem extends Error {
  constructor({ detail, remedy = "", code = "", status = 0 }) {
    super(detail);
    this.remedy = remedy;
    this.code = code;
    this.status = status;
  }

  // Whether trying again later, with the same key, may help.
  get passing() {
    return this.status === 0 || this.status >= 500;
  }
}

const unreachable = () =>
  new Problem({
    code: "unreachable",
    detail: "Palaver does not answer.",
    remedy: "Start it again with “palaver serve”. What you write stays here.",
  });

async function problemOf(response) {
  try {
    return new Problem(await response.json());
  } catch {
    return new Problem({ detail: `Palaver answered with ${response.status}.`, status: response.status });
  }
}

async function ask(method, path, body, headers = {}) {
  const options = { method, headers, cache: "no-store", credentials: "same-origin" };
  if (body !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(body);
  }
  let response;
  try {
    response = await fetch(path, options);
  } catch {
    throw unreachable();
  }
  if (!response.ok) throw await problemOf(response);
  return response;
}

async function request(method, path, body) {
  const response = await ask(method, path, body);
  if (response.status === 204) return null;
  try {
    return await response.json();
  } catch {
    throw unreachable(); // the connection broke in the middle of the answer
  }
}

// Events as they come: `hear(name, data)` is called for each.
export async function stream(path, body, hear) {
  const { body: events } = await ask("POST", path, body, { Accept: "text/event-stream" });
  const reader = events.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw unreachable(); // the connection broke in the middle of the answer
    });
    if (done) return;
    text += value;
    const whole = text.split("\n\n");
    text = whole.pop();
    for (const event of whole) {
      const [name, data] = event.split("\n").map((line) => line.slice(line.indexOf(": ") + 2));
      hear(name, JSON.parse(data));
    }
  }
}

export const get = (path) => request("GET", path);
export const post = (path, body) => request("POST", path, body);
export const patch = (path, body) => request("PATCH", path, body);
export const remove = (path) => request("DELETE", path);
