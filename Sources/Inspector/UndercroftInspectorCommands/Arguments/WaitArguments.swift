import ArgumentParser

/// The argument of commands that can wait for other processes.
struct WaitArguments: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: "The number of seconds to wait while other processes use the store.")
  var wait = 0.0

  func validate() throws {
    guard wait.isFinite, (0...86_400).contains(wait) else {
      throw ValidationError("--wait is \(wait). Pass a number of seconds from 0 to 86400.")
    }
  }

  /// The time to wait, which is zero by default.
  var timeout: Duration { .seconds(wait) }
}
