// Settings: what somebody chooses for themselves, and how things stand.
import { useEffect } from "react";
import { refreshMe } from "../state/actions";
import { useStore } from "../state/store";
import { Skeleton } from "../ui/Skeleton";
import { useDocumentTitle } from "../ui/useDocumentTitle";
import { Account } from "./Account";
import { Channels } from "./Channels";
import { Export } from "./Export";
import { IndexHealth } from "./IndexHealth";
import { Jobs } from "./Jobs";
import { Models } from "./Models";
import { ThemeChoice } from "./ThemeChoice";
import { TimeZone } from "./TimeZone";
import { Tokens } from "./Tokens";
import "./settings.css";

export default function SettingsPage() {
  const isKnown = useStore(({ me }) => me !== null);
  const isSignedOut = useStore(({ connection }) => connection.kind === "signed-out");
  useDocumentTitle("Settings");
  useEffect(() => {
    void refreshMe(); // a model may have been connected, or a zone chosen elsewhere
  }, []);
  return (
    <div className="settings">
      <div className="settings-column">
        <h1>Settings</h1>
        {isKnown ? (
          <>
            <Models />
            <TimeZone />
            <ThemeChoice />
            <Channels />
            <Tokens />
            <Export />
            <IndexHealth />
            <Jobs />
            <Account />
          </>
        ) : isSignedOut ? (
          <p>Sign in to see what you have chosen.</p>
        ) : (
          <Skeleton lines={8} label="Loading the settings" />
        )}
      </div>
    </div>
  );
}
