-- nvim --headless --clean -c 'luafile nvim07.lua'   (Neovim 0.7); COMMAND, FILE and TITLE from the environment.
-- The same flow with the client of 2022: no vim.lsp.config, UTF-16 only, pushed diagnostics.
local E = vim.env
local function say(text) io.stdout:write(text .. '\n') end
local function die(message)
  io.stderr:write(message .. '\n')
  vim.cmd('cquit 1')
end
local function wait(what, holds)
  if not vim.wait(15000, holds, 20) then die('timeout: ' .. what) end
end

local function main()
  vim.cmd('filetype on')
  vim.cmd('edit ' .. vim.fn.fnameescape(E.FILE))
  local buffer = vim.api.nvim_get_current_buf()
  local id = vim.lsp.start_client({ name = 'draftlift', cmd = { E.COMMAND, 'serve' }, root_dir = vim.fn.fnamemodify(E.FILE, ':p:h') })
  vim.lsp.buf_attach_client(buffer, id)
  wait('diagnostics', function() return #vim.diagnostic.get(buffer) > 0 end)
  local function say_findings()
    local found = vim.diagnostic.get(buffer)
    table.sort(found, function(one, other) return one.lnum < other.lnum or one.lnum == other.lnum and one.col < other.col end)
    for _, finding in ipairs(found) do
      say(('finding %s %d:%d'):format(finding.user_data.lsp.code, finding.lnum, finding.col))
    end
    return found
  end
  local first = say_findings()[1]
  local client = vim.lsp.get_client_by_id(id)
  say('encoding ' .. tostring(client.offset_encoding))

  vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col + 1 })
  local hover = client.request_sync('textDocument/hover', vim.lsp.util.make_position_params(0, client.offset_encoding), 10000, buffer)
  say('hover ' .. hover.result.contents.value:gsub('\n', ' '))

  vim.api.nvim_win_set_cursor(0, { first.lnum + 1, first.col + 1 })
  local params = vim.lsp.util.make_range_params(0, client.offset_encoding)
  params.context = { diagnostics = vim.lsp.diagnostic.get_line_diagnostics(buffer, first.lnum, nil, id) }
  local actions = client.request_sync('textDocument/codeAction', params, 10000, buffer)
  local done = false
  for _, action in ipairs(actions.result) do
    if action.title == E.TITLE then
      vim.lsp.util.apply_workspace_edit(action.edit, client.offset_encoding)
      done = true
    end
  end
  if not done then return die('no fix: ' .. E.TITLE) end
  wait('fresh diagnostics', function()
    for _, finding in ipairs(vim.diagnostic.get(buffer)) do
      if finding.user_data.lsp.code == first.user_data.lsp.code and finding.lnum == first.lnum then return false end
    end
    return true
  end)
  say('after')
  say_findings()
  vim.cmd('silent write')
  vim.lsp.stop_client(id)
  wait('the end of the server', function() return vim.lsp.client_is_stopped(id) end)
  vim.cmd('qall!')
end

local ok, problem = pcall(main)
if not ok then die(problem) end
