import Foundation

/// The functions and variables of libedit that the shell uses. (`editline/readline.h`)
struct LineEditingLibrary {
  typealias Text = UnsafeMutablePointer<CChar>
  /// A function that the library calls for a key.
  typealias KeyFunction = @convention(c) (_ count: Int32, _ key: Int32) -> Int32
  /// A function that returns the completions of the word between two positions of the line.
  typealias CompletionFunction =
    @convention(c) (
      _ word: UnsafePointer<CChar>?, _ start: Int32, _ end: Int32
    ) -> UnsafeMutablePointer<Text?>?

  /// A function that the library calls before it reads each line.
  typealias StartHook = @convention(c) () -> Int32

  private typealias ReadFunction = @convention(c) (UnsafePointer<CChar>) -> Text?
  private typealias TextFunction = @convention(c) (UnsafePointer<CChar>) -> Int32
  private typealias StartFunction = @convention(c) () -> Int32
  private typealias PrepareFunction = @convention(c) (_ meta: Int32) -> Void
  private typealias ProcedureFunction = @convention(c) () -> Void
  private typealias BindFunction =
    @convention(c) (
      UnsafePointer<CChar>, KeyFunction, Int32
    ) -> Int32

  private let readFunction: ReadFunction
  private let addFunction: TextFunction
  private let configureFunction: TextFunction
  private let startFunction: StartFunction
  private let prepareFunction: PrepareFunction
  private let restoreFunction: ProcedureFunction
  private let refreshFunction: StartFunction
  private let bindFunction: BindFunction
  private let name: UnsafeMutablePointer<UnsafePointer<CChar>?>
  private let buffer: UnsafeMutablePointer<Text?>
  private let isDone: UnsafeMutablePointer<Int32>
  private let hasCompleted: UnsafeMutablePointer<Int32>
  private let startHook: UnsafeMutablePointer<StartHook?>
  private let completion: UnsafeMutablePointer<CompletionFunction?>

  /// The names of the library on Debian, on other systems with Linux, and on macOS.
  private static let fileNames = ["libedit.so.2", "libedit.so.0", "libedit.so", "libedit.3.dylib"]

  /// Loads the library, or returns `nil` if the library is not installed. (`dlopen`)
  init?() {
    guard
      let library = Self.fileNames.lazy.compactMap({ dlopen($0, RTLD_NOW | RTLD_LOCAL) }).first,
      let read = dlsym(library, "readline"), let add = dlsym(library, "add_history"),
      let configure = dlsym(library, "rl_parse_and_bind"),
      let start = dlsym(library, "rl_initialize"), let bind = dlsym(library, "rl_add_defun"),
      let prepare = dlsym(library, "rl_prep_terminal"),
      let restore = dlsym(library, "rl_deprep_terminal"),
      let refresh = dlsym(library, "rl_forced_update_display"),
      let name = dlsym(library, "rl_readline_name"), let buffer = dlsym(library, "rl_line_buffer"),
      let isDone = dlsym(library, "rl_done"),
      let startHook = dlsym(library, "rl_pre_input_hook"),
      let hasCompleted = dlsym(library, "rl_attempted_completion_over"),
      let completion = dlsym(library, "rl_attempted_completion_function")
    else { return nil }
    readFunction = unsafeBitCast(read, to: ReadFunction.self)
    addFunction = unsafeBitCast(add, to: TextFunction.self)
    configureFunction = unsafeBitCast(configure, to: TextFunction.self)
    startFunction = unsafeBitCast(start, to: StartFunction.self)
    prepareFunction = unsafeBitCast(prepare, to: PrepareFunction.self)
    restoreFunction = unsafeBitCast(restore, to: ProcedureFunction.self)
    refreshFunction = unsafeBitCast(refresh, to: StartFunction.self)
    bindFunction = unsafeBitCast(bind, to: BindFunction.self)
    self.name = name.assumingMemoryBound(to: UnsafePointer<CChar>?.self)
    self.buffer = buffer.assumingMemoryBound(to: Text?.self)
    self.isDone = isDone.assumingMemoryBound(to: Int32.self)
    self.hasCompleted = hasCompleted.assumingMemoryBound(to: Int32.self)
    self.startHook = startHook.assumingMemoryBound(to: StartHook?.self)
    self.completion = completion.assumingMemoryBound(to: CompletionFunction?.self)
  }

  /// Initialises the library for a program, by whose name the file `~/.editrc` may limit settings.
  func start(named program: String) {
    // The library stores the pointer.
    name.pointee = UnsafePointer(strdup(program))
    _ = startFunction()
  }

  /// Reads a line, or returns `nil` at the end of the input or after ``endLine()``.
  func read(_ prompt: String) -> String? {
    guard let line = readFunction(prompt) else { return nil }
    defer { free(line) }
    return String(cString: line)
  }

  /// Adds a line to the history in memory.
  func addToHistory(_ line: String) { _ = addFunction(line) }

  /// Runs a command of the library, such as `bind` or `setty`.
  func configure(_ command: String) { _ = configureFunction(command) }

  /// Makes the terminal send each key at once, before the prompt is shown.
  ///
  /// Otherwise, the library does so after the prompt, and the terminal can turn a Ctrl-C between
  /// them into a signal.
  func prepareTerminal() { prepareFunction(1) }

  /// Makes the terminal edit lines and send signals for keys, until ``prepareTerminal()``.
  func restoreTerminal() { restoreFunction() }

  /// Shows the prompt and the line again.
  func refresh() { _ = refreshFunction() }

  /// Sets the function that is called before each line, after the settings of the terminal were
  /// reset.
  func setStartHook(_ hook: StartHook) { startHook.pointee = hook }

  /// Makes the library call a function for a control character.
  func bind(key: Int32, named name: String, _ function: KeyFunction) {
    _ = bindFunction(name, function, key)
  }

  /// Sets the function that completes words.
  func setCompletion(_ function: CompletionFunction) { completion.pointee = function }

  /// The line that the user edits.
  var line: String { buffer.pointee.map { String(cString: $0) } ?? "" }

  /// Ends reading the line without a result, in a function for a key.
  func endLine() { isDone.pointee = 1 }

  /// Prevents the library from completing names of files, in a function that completes words.
  func disableFileNames() { hasCompleted.pointee = 1 }
}
