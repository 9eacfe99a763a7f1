;; emacs --batch -l emacs.el COMMAND FILE TITLE   (Emacs 28 with the package eglot, or Emacs 29)
;; Open, diagnose, hover, apply the quick fix with TITLE to the first finding, save.  Not -Q: that hides Debian's packages.
(setq make-backup-files nil create-lockfiles nil)
(require 'eglot)
(require 'flymake)
(require 'js)
(require 'seq)
(setq eglot-sync-connect 15 eglot-autoshutdown t eglot-confirm-server-initiated-edits nil eglot-send-changes-idle-time 0
      eglot-report-progress nil flymake-no-changes-timeout 0)
(define-derived-mode draftlift-yaml-mode fundamental-mode "YAML")

(defun draftlift-wait (what holds)
  (let ((end (+ (float-time) 15)))
    (while (not (funcall holds))
      (when (> (float-time) end) (error "timeout: %s" what))
      (accept-process-output nil 0.02))))

(defun draftlift-say (format &rest values)
  (princ (concat (replace-regexp-in-string "\n" " " (apply #'format format values)) "\n")))

(defun draftlift-code (finding)
  (alist-get 'code (flymake-diagnostic-data finding) (plist-get (alist-get 'eglot-lsp-diag (flymake-diagnostic-data finding)) :code)))

(defun draftlift-findings ()
  (sort (flymake-diagnostics) (lambda (one other) (< (flymake-diagnostic-beg one) (flymake-diagnostic-beg other)))))

(defun draftlift-say-findings ()
  (dolist (finding (draftlift-findings))
    (save-excursion
      (goto-char (flymake-diagnostic-beg finding))
      (draftlift-say "finding %s %d:%d" (draftlift-code finding)
                     (1- (line-number-at-pos)) (- (point) (line-beginning-position))))))

(let* ((command (pop command-line-args-left)) (file (pop command-line-args-left)) (title (pop command-line-args-left)))
  (add-to-list 'eglot-server-programs (list '(js-json-mode js-mode draftlift-yaml-mode) command "serve"))
  (find-file file)
  (if (string-suffix-p "yaml" file) (draftlift-yaml-mode) (js-mode))
  (apply #'eglot--connect (eglot--guess-contact))
  (draftlift-wait "the server" (lambda () (eglot-managed-p)))
  (flymake-start)
  (draftlift-wait "diagnostics" (lambda () (flymake-diagnostics)))
  (draftlift-say-findings)
  (draftlift-say "encoding utf-16")
  (let* ((first (car (draftlift-findings))) (code (draftlift-code first)))
    (goto-char (1+ (flymake-diagnostic-beg first)))
    (draftlift-say "hover %s" (plist-get (plist-get (jsonrpc-request (eglot--current-server-or-lose) :textDocument/hover
                                                                     (eglot--TextDocumentPositionParams))
                                                    :contents)
                                         :value))
    (let* ((actions (eglot-code-actions (flymake-diagnostic-beg first) (flymake-diagnostic-end first)))
           (action (seq-find (lambda (action) (equal (plist-get action :title) title)) actions)))
      (unless action (error "no fix: %s" title))
      (eglot--apply-workspace-edit (plist-get action :edit)))
    (eglot--signal-textDocument/didChange) ; batch mode runs no idle timers
    (draftlift-wait "fresh diagnostics"
                    (lambda () (not (seq-some (lambda (finding) (equal (draftlift-code finding) code))
                                              (seq-filter (lambda (finding) (= (flymake-diagnostic-beg finding) (flymake-diagnostic-beg first)))
                                                          (flymake-diagnostics)))))))
  (draftlift-say "after")
  (draftlift-say-findings)
  (let ((inhibit-message t)) (save-buffer))
  (eglot-shutdown (eglot-current-server))
  (kill-emacs 0))
