" vim -N -u ale.vim   (Debian's vim-nox and vim-ale); COMMAND, FILE, TITLE and OUT from the environment.
" Open, diagnose, hover, apply the quick fix with TITLE to the first finding, save.
set nocompatible hidden noswapfile shortmess+=I
set rtp+=/usr/share/vim-ale
filetype plugin on
let g:ale_linters_explicit = 1
let g:ale_linters = {'json': ['draftlift'], 'yaml': ['draftlift']}
let g:ale_lint_delay = 0
let g:ale_echo_cursor = 0
runtime plugin/ale.vim
for s:language in ['json', 'yaml']
  call ale#linter#Define(s:language, {'name': 'draftlift', 'lsp': 'stdio', 'executable': $COMMAND, 'command': '%e serve', 'project_root': {buffer -> fnamemodify(bufname(buffer), ':p:h')}})
endfor

function! Say(text)
  call writefile([substitute(a:text, "\n", ' ', 'g')], $OUT, 'a')
endfunction
function! Wait(what, expression)
  let l:end = reltimefloat(reltime()) + 15
  while !eval(a:expression)
    if reltimefloat(reltime()) > l:end
      call Say('timeout: ' . a:what)
      cquit
    endif
    sleep 20m
  endwhile
endfunction
function! SayFindings()
  for l:finding in ale#engine#GetLoclist(bufnr(''))
    call Say(printf('finding %s %d:%d', l:finding.code, l:finding.lnum - 1, l:finding.col - 1))
  endfor
endfunction
function! Main()
  execute 'edit ' . fnameescape($FILE)
  execute 'setfiletype ' . ($FILE =~# 'yaml$' ? 'yaml' : 'json')
  ALEEnableBuffer
  call ale#Queue(0, 'lint_file')
  call Wait('diagnostics', 'len(ale#engine#GetLoclist(bufnr(""))) > 0')
  call SayFindings()
  call Say('encoding utf-16')
  let g:first = ale#engine#GetLoclist(bufnr(''))[0]
  call cursor(g:first.lnum, g:first.col + 1)
  let g:ale_hover_to_preview = 1
  ALEHover
  call Wait('hover', 'winnr("$") > 1')
  wincmd P
  call Say('hover ' . join(getline(1, '$'), ' '))
  pclose
  call cursor(g:first.lnum, g:first.col + 1)
  let g:tick = b:changedtick
  call feedkeys("1\<CR>", 't') " ALE asks which one; the preferred is the first
  ALECodeAction
  call Wait('the fix', 'b:changedtick != g:tick')
  call ale#Queue(0)
  call Wait('fresh diagnostics', 'empty(filter(copy(ale#engine#GetLoclist(bufnr(""))), {_, found -> found.lnum == g:first.lnum && found.code ==# g:first.code}))')
  call Say('after')
  call SayFindings()
  silent write
  call Say('end')
  qall!
endfunction
call timer_start(50, {-> Main()})
