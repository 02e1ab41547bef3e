import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { Refused } from "../../src/api/problem";
import { Login } from "../../src/login/Login";
import * as signing from "../../src/login/signing";

vi.mock("../../src/login/signing");

const told = vi.mocked(signing);
const used = new Refused("sign_in_required", "No.", "", 401);

beforeEach(() => {
  vi.resetAllMocks();
  told.codeHere.mockReturnValue(null);
  told.takesPasswords.mockReturnValue(false);
  told.isSignedIn.mockResolvedValue(false);
  told.whenShown.mockImplementation((then) => then());
});

describe("by link", () => {
  it("uses the code once and goes in", async () => {
    told.codeHere.mockReturnValue("secret");
    told.signIn.mockResolvedValue(null);
    render(<Login />);
    await vi.waitFor(() => expect(told.enter).toHaveBeenCalledOnce());
    expect(told.signIn).toHaveBeenCalledExactlyOnceWith({ code: "secret" });
  });

  it("waits until a page that was prepared in advance is shown", () => {
    told.codeHere.mockReturnValue("secret");
    told.whenShown.mockImplementation(() => {});
    render(<Login />);
    expect(told.signIn).not.toHaveBeenCalled();
  });

  it("goes in with a used link if the browser is signed in", async () => {
    told.codeHere.mockReturnValue("used");
    told.signIn.mockResolvedValue(used);
    told.isSignedIn.mockResolvedValue(true);
    render(<Login />);
    await vi.waitFor(() => expect(told.enter).toHaveBeenCalledOnce());
  });

  it("says how to get another link, or to use the password", async () => {
    told.codeHere.mockReturnValue("used");
    told.signIn.mockResolvedValue(used);
    const { unmount } = render(<Login />);
    await screen.findByRole("heading", { name: "This link does not work" });
    screen.getByText(/prints a new link/);
    unmount();
    told.takesPasswords.mockReturnValue(true);
    render(<Login />);
    await screen.findByText("Sign in with your name and password.");
    screen.getByRole("textbox", { name: "Name" });
  });
});

describe("by name", () => {
  beforeEach(() => told.takesPasswords.mockReturnValue(true));

  const write = async () => {
    await userEvent.type(screen.getByLabelText("Name"), "ann");
    await userEvent.type(screen.getByLabelText("Password"), "horse{Enter}");
  };

  it("goes in", async () => {
    told.signIn.mockResolvedValue(null);
    render(<Login />);
    await write();
    expect(told.signIn).toHaveBeenCalledWith({ name: "ann", password: "horse" });
    expect(told.enter).toHaveBeenCalledOnce();
  });

  it("tells what the server says, and waits as long as it says", async () => {
    told.signIn.mockResolvedValue(new Refused("limit_reached", "Too often.", "Wait.", 429, 30));
    render(<Login />);
    await write();
    expect((await screen.findByRole("alert")).textContent).toBe("Too often. Wait.");
    const button = screen.getByRole<HTMLButtonElement>("button", { name: /Sign in \(in 30 s\)/ });
    expect(button.disabled).toBe(true);
  });
});
