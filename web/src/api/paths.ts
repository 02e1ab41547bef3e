// Addresses of a conversation in the API.

export const apiPath = (conversationId: string, part = ""): string =>
  `/api/conversations/${encodeURIComponent(conversationId)}${part && `/${part}`}`;
