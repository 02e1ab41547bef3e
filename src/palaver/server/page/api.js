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

async function request(method, path, body) {
  const options = { method, headers: {}, cache: "no-store", credentials: "same-origin" };
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
  if (response.status === 204) return null;
  try {
    return await response.json();
  } catch {
    throw unreachable(); // the connection broke in the middle of the answer
  }
}

export const get = (path) => request("GET", path);
export const post = (path, body) => request("POST", path, body);
export const patch = (path, body) => request("PATCH", path, body);
export const remove = (path) => request("DELETE", path);
