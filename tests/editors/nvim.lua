-- nvim --headless --clean -l nvim.lua COMMAND FILE TITLE   (Neovim 0.11)
-- Open, diagnose, hover, apply the quick fix with TITLE to the first finding, save. What was seen goes to stdout, a line each.
local command, file, title = arg[1], arg[2], arg[3]
local function say(text) io.stdout:write(text .. '\n') end
local function die(message)
  io.stderr:write(message .. '\n')
  os.exit(1)
end
local function wait(what, holds)
  if not vim.wait(15000, holds, 20) then die('timeout: ' .. what) end
end

vim.lsp.config('draftlift', { cmd = { command, 'serve' }, filetypes = { 'json', 'jsonc', 'yaml' }, root_markers = { '.git' } })
vim.lsp.enable('draftlift')
vim.cmd('filetype on')
vim.cmd.edit(file)
local buffer = vim.api.nvim_get_current_buf()
wait('diagnostics', function() return #vim.diagnostic.get(buffer) > 0 end)
local function say_findings()
  local found = vim.diagnostic.get(buffer)
  table.sort(found, function(one, other) return one.lnum < other.lnum or one.lnum == other.lnum and one.col < other.col end)
  for _, finding in ipairs(found) do
    say(('finding %s %d:%d'):format(finding.code, finding.lnum, finding.col))
  end
  return found
end
local first = say_findings()[1]
local client = vim.lsp.get_clients({ bufnr = buffer })[1]
say('encoding ' .. client.offset_encoding)

vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col + 1 })
local hover = client:request_sync('textDocument/hover', vim.lsp.util.make_position_params(0, client.offset_encoding), 10000, buffer)
say('hover ' .. hover.result.contents.value:gsub('\n', ' '))

local before = vim.api.nvim_buf_get_changedtick(buffer)
vim.lsp.buf.code_action({
  context = { only = { 'quickfix' }, diagnostics = { first.user_data.lsp } },
  filter = function(action) return action.title == title end,
  apply = true,
})
wait('the fix', function() return vim.api.nvim_buf_get_changedtick(buffer) ~= before end)
wait('fresh diagnostics', function()
  for _, finding in ipairs(vim.diagnostic.get(buffer)) do
    if finding.code == first.code and finding.lnum == first.lnum then return false end
  end
  return true
end)
say('after')
say_findings()
vim.cmd('silent write')
client:stop()
wait('the end of the server', function() return client:is_stopped() end)
os.exit(0)
