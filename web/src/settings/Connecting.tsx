// How a model is connected: in words, because keys are not typed into a page.

const ANTHROPIC = `agent:
  model: sonnet
  providers:
    anthropic:
      apiKey: sk-ant-…`;

const OLLAMA = `agent:
  model: ollama:llama3.2
  providers:
    ollama:
      baseUrl: http://localhost:11434/v1`;

export function Connecting({ isOpen }: { isOpen: boolean }) {
  return (
    <details className="settings-fold" open={isOpen} id="connect">
      <summary>How to connect a model</summary>
      <p>
        Write one of these into <code>config.yaml</code> in Palaver’s home (usually{" "}
        <code>~/.palaver</code>), and start Palaver again. Keys are not typed into this page: they
        stay in that file, on the machine that Palaver runs on.
      </p>
      <div className="settings-examples">
        <figure>
          <figcaption>Anthropic</figcaption>
          <pre>{ANTHROPIC}</pre>
        </figure>
        <figure>
          <figcaption>Ollama, on your own machine</figcaption>
          <pre>{OLLAMA}</pre>
        </figure>
      </div>
      <p className="soft">
        OpenAI, vLLM and llama.cpp are connected in the same way. In a shell, the variable{" "}
        <code>PALAVER_AGENT__PROVIDERS__ANTHROPIC__API_KEY</code> does it, too. Then press Test.
      </p>
    </details>
  );
}
