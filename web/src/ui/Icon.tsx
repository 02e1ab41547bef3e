// Small pictures beside words. They are drawn here, not fetched, and never read out: the words
// beside them, or the button's label, say what they mean.
import "./icon.css";

const DRAWN = {
  plus: "M12 5v14M5 12h14",
  search: "M11 4a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM16 16l4 4",
  menu: "M4 7h16M4 12h16M4 17h16",
  more: "M6 12h.01M12 12h.01M18 12h.01",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12.5l4.5 4.5L19 7.5",
  pin: "M9 4h6l-1 6 3 3H7l3-3zM12 13v7",
  archive: "M4 5h16v4H4zM6 9v10h12V9M10 13h4",
  unarchive: "M4 5h16v4H4zM6 9v10h12V9M12 17v-5M9.5 14.5L12 12l2.5 2.5",
  rename: "M5 19l1-4L16 5l3 3L9 18zM14 7l3 3",
  trash: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
  settings:
    "M4 8h9M19 8h1M4 16h1M11 16h9M16 5.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM8 13.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  insights: "M5 20V11M12 20V4M19 20v-6",
  "chevron-down": "M6 9.5l6 6 6-6",
  "chevron-up": "M6 14.5l6-6 6 6",
  "chevron-left": "M14.5 6l-6 6 6 6",
  "chevron-right": "M9.5 6l6 6-6 6",
  "arrow-down": "M12 5v14M6 13l6 6 6-6",
  "arrow-up": "M12 19V5M6 11l6-6 6 6",
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  quote: "M6 17c3-1 4-3 4-6V7H5v5h3M16 17c3-1 4-3 4-6V7h-5v5h3",
  send: "M12 19V6M6 11l6-6 6 6",
  stop: "M7 7h10v10H7z",
  again: "M19 12a7 7 0 1 1-2-5l2 2M19 4v5h-5",
  undo: "M8 5L4 9l4 4M4 9h10a5 5 0 0 1 0 10h-3",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  external: "M14 4h6v6M20 4l-9 9M18 14v6H4V6h6",
  download: "M12 4v11M7 10l5 5 5-5M4 20h16",
  notes: "M6 4h12v16H6zM9 9h6M9 13h6M9 17h3",
  context: "M12 4l8 4-8 4-8-4zM4 12l8 4 8-4M4 16l8 4 8-4",
  model: "M8 8h8v8H8zM10 8V4M14 8V4M10 20v-4M14 20v-4M8 10H4M8 14H4M20 10h-4M20 14h-4",
  sun: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM12 2v2M12 20v2M2 12h2M20 12h2M5 5l1.5 1.5M17.5 17.5L19 19M5 19l1.5-1.5M17.5 6.5L19 5",
  moon: "M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z",
  keyboard: "M3 6h18v12H3zM7 10h.01M11 10h.01M15 10h.01M17 10h.01M8 14h8",
  sidebar: "M4 5h16v14H4zM10 5v14",
  warning: "M12 4l9 16H3zM12 10v4M12 17h.01",
  info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5M12 8h.01",
  clock: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 7v5l3 2",
  person: "M12 4a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM4 21c0-4 4-6 8-6s8 2 8 6",
  people:
    "M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM2 20c0-3.5 3-5.5 7-5.5s7 2 7 5.5M16 5.4a3.5 3.5 0 0 1 0 6.2M18.5 15c2.2 .7 3.5 2.5 3.5 5",
  thought: "M9 18h6M10 21h4M12 3a6 6 0 0 0-3 11v1h6v-1a6 6 0 0 0-3-11z",
  tool: "M14 7a4 4 0 0 1 5-4l-2 3 1 1 3-2a4 4 0 0 1-5 5l-8 8a2 2 0 0 1-3-3z",
  key: "M8 11a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM11 12l9-9M16 7l3 3",
  lock: "M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3",
  eye: "M2 12c3-5 6-7 10-7s7 2 10 7c-3 5-6 7-10 7s-7-2-10-7zM12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z",
  calendar: "M4 6h16v14H4zM4 10h16M8 3v4M16 3v4",
  memory: "M7 4h10v16l-5-4-5 4z",
  message: "M4 5h16v11H10l-5 4v-4H4z",
  web: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM3 12h18M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18",
  cli: "M4 5h16v14H4zM7 9l3 3-3 3M12 15h5",
  whatsapp: "M4 20l1.2-4A8 8 0 1 1 8 18.8zM9 9c0 4 2 6 6 6l1-2-2-1-1 1c-1 0-2-1-2-2l1-1-1-2z",
  email: "M3 6h18v12H3zM3 7l9 6 9-6",
  telegram: "M21 4L3 11l6 2 2 6 3-4 5 3zM9 13l9-7",
  mcp: "M9 3v5M15 3v5M6 8h12v3a6 6 0 0 1-12 0zM12 17v4",
} as const;

export type IconName = keyof typeof DRAWN;

export function Icon({ name, size = 18 }: { name: IconName; size?: number }) {
  return (
    <svg
      aria-hidden="true"
      className="ui-icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={name === "more" ? 2.6 : 1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={DRAWN[name]} />
    </svg>
  );
}

const CHANNELS: Record<string, { icon: IconName; name: string }> = {
  web: { icon: "web", name: "Web" },
  cli: { icon: "cli", name: "Command line" },
  whatsapp: { icon: "whatsapp", name: "WhatsApp" },
  email: { icon: "email", name: "Email" },
  telegram: { icon: "telegram", name: "Telegram" },
  mcp: { icon: "mcp", name: "MCP" },
};

/** How a channel is called; one that is not known here keeps its own name. */
export const channelName = (channel: string): string => CHANNELS[channel]?.name ?? channel;

/** The channel's picture, with its name for the hover and for screen readers. */
export function ChannelIcon({ channel, size = 18 }: { channel: string; size?: number }) {
  const name = channelName(channel);
  return (
    <span className="ui-channel" title={name}>
      <Icon name={CHANNELS[channel]?.icon ?? "message"} size={size} />
      <span className="only-heard">{name}</span>
    </span>
  );
}
