// Which model answers in a conversation, and what each of them costs.
import { useLocation } from "wouter";
import type { ConversationMeta, ModelInfo } from "../api/shapes";
import { chooseModel } from "../state/actions";
import { useStore } from "../state/store";
import { Icon } from "../ui/Icon";
import { Menu, type MenuItem } from "../ui/Menu";
import { dollars } from "../ui/numbers";

export function priceOf({ kind, connected, inputPrice, outputPrice }: ModelInfo): string {
  if (!connected) return "Not connected: set it up";
  if (kind === "offline") return "Free, on this machine";
  if (inputPrice === null || outputPrice === null) return "Price not known";
  return `${dollars(inputPrice)} in, ${dollars(outputPrice)} out, per million tokens`;
}

export function ModelChoice({ conversation }: { conversation: ConversationMeta }) {
  const models = useStore((state) => state.models);
  const [, navigate] = useLocation();
  if (!models) return null;
  const { id, model } = conversation;
  const choice = (info: ModelInfo): MenuItem => ({
    label: info.name,
    hint: priceOf(info),
    checked: info.name === model,
    run: info.connected ? () => void chooseModel(id, info.name) : () => navigate("/settings"),
  });
  const usual: MenuItem = {
    label: `Usual: ${models.usual}`,
    hint: "As chosen in Settings",
    checked: model === null,
    run: () => void chooseModel(id, null),
  };
  return (
    <Menu
      label="Model"
      items={[usual, ...models.models.map(choice)]}
      className="button quiet header-model"
    >
      <Icon name="model" />
      <span className="only-heard">Model: </span>
      <span className="header-model-name">{model ?? models.usual}</span>
      <Icon name="chevron-down" size={14} />
    </Menu>
  );
}
