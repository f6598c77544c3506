import ArgumentParser
import UndercroftCore

/// The arguments after the last one that a command about one path accepts.
///
/// They are refused with an explanation, because other commands accept several paths.
struct FurtherArguments: ParsableArguments {
  @Argument(help: .hidden) var others: [String] = []

  func validate() throws {
    guard let first = others.first else { return }
    throw ValidationError(
      "Unexpected argument \(quoted(first)): the command accepts one path. Run it once for each "
        + "path.")
  }
}
