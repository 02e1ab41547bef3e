// Instead of the box, where nothing can be said: why, and where it can.
import { ChannelIcon, channelName, Icon } from "../ui/Icon";

export function ReadOnly({ channel }: { channel: string | null }) {
  return (
    <div className="talk-read-only" role="note">
      {channel ? <ChannelIcon channel={channel} /> : <Icon name="lock" />}
      {channel ? (
        <p>
          This conversation goes on in {channelName(channel)}: write there. Or send{" "}
          <code>/new</code> there, and continue this one here.
        </p>
      ) : (
        <p>This sign-in may read, but not write. Sign in with one that may send messages.</p>
      )}
    </div>
  );
}
