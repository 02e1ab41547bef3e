// Requests to the REST API of the server that the page came from.
import { refusal, unreachable } from "./problem";

export type Query = Record<string, string | number | boolean | null | undefined>;

interface Options {
  query?: Query;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal;
  /** It goes on when the page is left. */
  keepalive?: boolean;
}

export type Method = "GET" | "POST" | "PATCH" | "PUT" | "DELETE";

/** The address with its parameters; those without a value are left out. */
export function address(path: string, query: Query = {}): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== "") parameters.set(name, String(value));
  }
  const text = parameters.toString();
  return text ? `${path}?${text}` : path;
}

/** The JSON answer. Throws `Refused`; an aborted request throws the browser's AbortError. */
export async function request<T>(method: Method, path: string, options: Options = {}): Promise<T> {
  return (await answered<T>(method, path, options)).value;
}

/** The same, with its status. */
export async function answered<T>(
  method: Method,
  path: string,
  options: Options = {},
): Promise<{ status: number; value: T }> {
  const { query, body, headers = {}, signal, keepalive = false } = options;
  let response: Response;
  try {
    response = await fetch(address(path, query), {
      method,
      credentials: "same-origin",
      keepalive,
      headers: {
        Accept: "application/json",
        ...(body === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw unreachable();
  }
  if (!response.ok) throw await refusal(response);
  const { status } = response;
  return { status, value: (status === 204 ? undefined : await response.json()) as T };
}

export const get = <T>(path: string, query: Query = {}, signal?: AbortSignal): Promise<T> =>
  request<T>("GET", path, signal === undefined ? { query } : { query, signal });
export const post = <T>(path: string, body: unknown = {}): Promise<T> =>
  request<T>("POST", path, { body });
export const patch = <T>(path: string, body: unknown): Promise<T> =>
  request<T>("PATCH", path, { body });
export const put = <T>(path: string, body: unknown): Promise<T> =>
  request<T>("PUT", path, { body });
export const remove = <T>(path: string, query: Query = {}): Promise<T> =>
  request<T>("DELETE", path, { query });
