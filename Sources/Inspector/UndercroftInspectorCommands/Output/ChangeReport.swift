import UndercroftCore

/// The text that reports a change of stores after it was made.
///
/// If the text cannot be written, the change remains. The error then says so, because a user who
/// repeats the command would change the stores again, and would not know how to undo the change.
struct ChangeReport {
  /// The change as a phrase, such as "removed 1 value".
  let summary: String
  /// Sentences about the change, such as the command that undoes it.
  var details: [String] = []

  /// Writes the summary and the details to standard output, each as a line.
  func write() throws {
    try reporting { try Output.text(([summary] + details).joined(separator: "\n")) }
  }

  /// Runs `body`, which writes the result of the change to standard output.
  ///
  /// - Throws: an ``OutputFailure`` that contains the summary and the details if `body` fails. If
  ///   the reader of standard output has left, they are written as notes.
  func reporting(_ body: () throws -> Void) throws {
    do {
      try body()
    } catch let error as Console.BrokenPipe {
      for line in [summary] + details { Output.note(line) }
      throw error
    } catch let failure as OutputFailure {
      throw OutputFailure(error: error(after: failure.error))
    } catch let error as StorageError {
      throw OutputFailure(error: self.error(after: error))
    }
  }

  private func error(after cause: StorageError) -> StorageError {
    StorageError(
      .io, "the change was made (\(summary)), but its result cannot be shown: \(cause.failure)",
      suggestion: (["do not repeat the command"] + details).joined(separator: "; "),
      backend: cause.backend, key: cause.key, underlying: cause)
  }
}
