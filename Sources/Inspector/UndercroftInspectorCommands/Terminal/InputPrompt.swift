import Foundation
import Synchronization

/// The prompt of a line that the terminal itself edits, which is shown again after Ctrl-C has
/// discarded the line, and after the user has continued the stopped process.
enum InputPrompt {
  /// The address of the text that ``show()`` writes, or 0 while no line is read.
  ///
  /// A handler of a signal reads it, and so may not wait for a lock.
  private static let address = Atomic<UInt>(0)

  /// Writes a prompt, and then runs `body`, which reads a line.
  static func with<Result>(_ prompt: String, _ body: () -> Result) -> Result {
    // The text is not released, because a handler may still read it.
    let text = UInt(bitPattern: strdup("\n" + prompt))
    // The user may press Ctrl-C as soon as the prompt is there.
    address.store(text, ordering: .sequentiallyConsistent)
    defer { address.store(0, ordering: .sequentiallyConsistent) }
    try? Output.bytes(Data(prompt.utf8))
    return body()
  }

  /// Writes the prompt in a new line if a line is being read. (async-signal-safe)
  static func show() {
    let address = address.load(ordering: .sequentiallyConsistent)
    guard let text = UnsafePointer<CChar>(bitPattern: address) else { return }
    _ = write(STDOUT_FILENO, text, strlen(text))
  }

  /// Shows the prompt again whenever the user continues the stopped process. (`SIGCONT`)
  static func showAfterStop() {
    // The atomic value exists before the handler reads it.
    show()
    var action = sigaction()
    let handler: @convention(c) (Int32) -> Void = { _ in InputPrompt.show() }
    #if canImport(Darwin)
      action.__sigaction_u.__sa_handler = handler
    #else
      action.__sigaction_handler.sa_handler = handler
    #endif
    // The call that reads the line continues after the signal.
    action.sa_flags = SA_RESTART
    sigaction(SIGCONT, &action, nil)
  }
}
