// The whole page: the list, what the address names, and what is told in a corner.
import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { Route, Switch, useLocation } from "wouter";
import { ConversationPage } from "../conversation/ConversationPage";
import { begin } from "../state/actions";
import { Skeleton } from "../ui/Skeleton";
import { useIsNarrow } from "../ui/useMedia";
import { Banner } from "./Banner";
import { Boundary } from "./Boundary";
import { useLayout } from "./layout";
import { NotFound } from "./NotFound";
import { Notices } from "./Notices";
import { Overlays } from "./Overlays";
import { Room } from "./Room";
import { Sidebar } from "./Sidebar";
import { TopBar } from "./TopBar";
import "./shell.css";

const SearchPage = lazy(() => import("../search/SearchPage"));
const ContinuousPage = lazy(() => import("../continuous/ContinuousPage"));
const ExternalPage = lazy(() => import("../external/ExternalPage"));
const InsightsPage = lazy(() => import("../insights/InsightsPage"));
const MemoriesPage = lazy(() => import("../memories/MemoriesPage"));
const SettingsPage = lazy(() => import("../settings/SettingsPage"));

export function App() {
  useEffect(() => begin(), []);
  const isNarrow = useIsNarrow();
  const isDrawerOpen = useLayout((layout) => layout.isDrawerOpen);
  return (
    <div className="shell">
      <a className="shell-skip" href="#main">
        Skip to the conversation
      </a>
      <Boundary>
        <Sidebar />
      </Boundary>
      <div className="shell-beside" inert={isNarrow && isDrawerOpen}>
        <TopBar />
        <Banner />
        <main id="main" className="shell-main" tabIndex={-1}>
          <Rooms />
        </main>
      </div>
      <Boundary>
        <Notices />
      </Boundary>
      <Boundary>
        <Overlays />
      </Boundary>
    </div>
  );
}

function Rooms() {
  const [path] = useLocation();
  return (
    <Boundary of={path}>
      <Suspense fallback={<Skeleton lines={8} />}>
        <Switch>
          <Route path="/">{inRoom(<ConversationPage place={null} />)}</Route>
          <Route path="/c/:id">{({ id }) => inRoom(<ConversationPage place={id} />)}</Route>
          <Route path="/continuous/:day?">
            {({ day }) => inRoom(<ContinuousPage day={day ?? null} />)}
          </Route>
          <Route path="/search">{inRoom(<SearchPage />)}</Route>
          <Route path="/memories">{inRoom(<MemoriesPage />)}</Route>
          <Route path="/external/:id?">
            {({ id }) => inRoom(<ExternalPage id={id ?? null} />)}
          </Route>
          <Route path="/insights">{inRoom(<InsightsPage />)}</Route>
          <Route path="/settings">{inRoom(<SettingsPage />)}</Route>
          <Route>{inRoom(<NotFound />)}</Route>
        </Switch>
      </Suspense>
    </Boundary>
  );
}

const inRoom = (page: ReactNode) => <Room>{page}</Room>;
