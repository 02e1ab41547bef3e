// Instead of the box, where nothing can be said: why, and where it can.
import { ChannelIcon, channelName, Icon } from "../ui/Icon";

export function ReadOnly({ channel }: { channel: string | null }) {
  return (
    <p className="talk-read-only" role="note">
      {channel ? <ChannelIcon channel={channel} /> : <Icon name="lock" />}
      <span>
        {channel
          ? `This conversation goes on in ${channelName(channel)}, where it began. Here it can be read, searched and exported.`
          : "This sign-in may read, but not write. Sign in with one that may send messages."}
      </span>
    </p>
  );
}
