// What a user sees: squiggles, hover, quick fix, Problems, status, the workspace command; with pictures.
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { address, remote } from "./vscode.mjs";

const WAIT = 20_000;
const FILE = "typescript-sdk-answer.json";

/** A page with what both suites need, and the report of the steps that ``walk`` takes. */
async function steps(browser, pictures, theme, walk) {
  mkdirSync(pictures, { recursive: true });
  const page = await browser.newPage({ viewport: { width: 1100, height: 640 }, deviceScaleFactor: 1.5 });
  page.setDefaultTimeout(WAIT);
  const picture = async (name) => {
    await page.waitForTimeout(400); // fades
    await page.screenshot({ path: join(pictures, `${name}-${theme}.png`) });
  };
  const said = [];
  try {
    await walk({ page, picture, step: (text) => said.push(`ok ${text}`) });
    return { passed: true, notes: [], text: `${said.join("\n")}\n${said.length} passed, 0 failed` };
  } catch (error) {
    await picture("failed");
    return { passed: false, notes: [], text: `${said.join("\n")}\nFAILED ${error.message}\n${said.length} passed, 1 failed` };
  } finally {
    await page.close();
  }
}

/** No Python: one message, with the way out. */
export function noPythonSuite(browser, base, folder, pictures, theme) {
  return steps(browser, pictures, theme, async ({ page, step }) => {
    await page.goto(address(base, folder, [["openFile", remote(base, join(folder, FILE))]]));
    // A VS Code that is driven by a test shows no toasts, but it keeps what they would say.
    await page.locator("#status\\.notifications .codicon-bell-dot").waitFor();
    await page.locator("#status\\.notifications").click();
    const messages = page.locator(".notifications-center .notification-list-item");
    const message = messages.filter({ hasText: "draftlift needs Python 3.10 or newer" });
    await message.waitFor();
    if ((await messages.count()) !== 1) throw new Error("more than one message");
    step("one message");
    await message.getByText("Choose Interpreter").click();
    await page.locator(".settings-editor .setting-item-contents", { hasText: "Interpreter" }).first().waitFor();
    step("the way to the setting");
  });
}

export function uiSuite(browser, base, folder, pictures, theme) {
  return steps(browser, pictures, theme, async ({ page, picture, step }) => {
    const command = async (title) => {
      await page.keyboard.press("F1");
      const box = page.locator(".quick-input-widget input");
      await box.waitFor();
      await box.fill(`>${title}`);
      await page.locator(".quick-input-list .monaco-list-row", { hasText: title }).first().waitFor();
      await page.keyboard.press("Enter");
    };
    const onDisk = async (name, holds) => {
      for (const end = Date.now() + WAIT; !holds(readFileSync(join(folder, name), "utf8")); await page.waitForTimeout(50)) {
        if (Date.now() > end) throw new Error(`${name} is not what it should be on the disk`);
      }
    };

    await page.goto(address(base, folder, [["openFile", remote(base, join(folder, FILE))]]));
    await page.locator(".monaco-editor .squiggly-warning").first().waitFor();
    await page.keyboard.press("Control+b");
    step("squiggle");

    const declared = page.locator(".view-line", { hasText: "draft-07" }).first();
    const uri = declared.locator("span", { hasText: "draft-07" }).last();
    await uri.hover();
    await page.locator(".monaco-hover:not(.hidden)", { hasText: "2020-12" }).first().waitFor();
    await picture("hover");
    step("hover");

    const fix = page.locator(".action-widget .monaco-list-row", { hasText: "Translate this schema to 2020-12" }).first();
    const openMenu = async () => {
      // On a busy machine the light bulb that appears may close the menu again.
      for (let tries = 1; ; tries += 1) {
        await page.keyboard.press("Escape");
        await uri.click();
        await page.keyboard.press("Control+.");
        try {
          return await fix.waitFor({ timeout: WAIT / 4 });
        } catch (error) {
          if (tries === 4) throw error;
        }
      }
    };
    await openMenu();
    await picture("quick-fix");
    step("quick fix offered");

    await page.keyboard.press("Escape");
    await command("Problems: Focus on Problems View");
    await page.locator(".markers-panel .monaco-list-row", { hasText: "declares draft-07" }).first().click();
    await picture("problems");
    step("problems");

    await page.keyboard.press("Control+j");
    await page.locator("#status\\.languageStatus").click();
    await page.locator(".monaco-hover", { hasText: "2 old schemas" }).first().waitFor();
    step("language status");

    await openMenu();
    await fix.click();
    await page.locator(".view-line", { hasText: "draft/2020-12" }).first().waitFor();
    await page.keyboard.press("Control+s");
    await onDisk(FILE, (text) => text.split("2020-12").length === 2);
    step("quick fix applied and saved");

    await command("draftlift: Translate Every Tool File");
    const question = page.locator(".monaco-dialog-box", { hasText: "Translate the old schemas of 3 files?" });
    await question.waitFor();
    await question.getByText("Preview").click();
    const rows = page.locator(".bulk-edit-panel .monaco-list-row");
    await rows.filter({ hasText: "draft-04.json" }).first().waitFor();
    await rows.filter({ hasText: "draft-04.json" }).locator("[type=checkbox], .monaco-checkbox, .monaco-custom-toggle").first().click();
    await rows.nth(1).click();
    await page.locator(".monaco-diff-editor .view-line", { hasText: "draft/2020-12" }).first().waitFor();
    await picture("preview");
    step("preview of the workspace's changes");
    await page.locator(".bulk-edit-panel").getByText("Apply").click();
    await page.locator(".tab.dirty", { hasText: "draft-04.json" }).waitFor();
    await command("File: Save All");
    await onDisk("draft-04.json", (text) => text.includes("draft/2020-12"));
    await onDisk("tuples-and-dependencies.yaml", (text) => text.includes("draft-07"));
    step("what was picked is translated, and nothing else");

    await command("draftlift: Translate Every Tool File");
    const rest = page.locator(".monaco-dialog-box", { hasText: "Translate the old schemas of 2 files?" });
    await rest.waitFor();
    await rest.locator(".monaco-button", { hasText: "Translate" }).click();
    await onDisk("tuples-and-dependencies.yaml", (text) => text.includes("prefixItems"));
    step("all the rest at once");
  });
}
