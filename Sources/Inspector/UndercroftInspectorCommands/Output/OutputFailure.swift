import UndercroftCore

/// An error of writing the output of a command, which ends the command.
///
/// It is not a `StorageError`, because commands collect the errors of stores and continue with the
/// next store, which would fail in the same way.
struct OutputFailure: Error {
  let error: StorageError

  /// Runs `body`, and converts its error.
  static func converting<Result>(
    _ body: () throws(StorageError) -> Result
  ) throws(OutputFailure) -> Result {
    do throws(StorageError) {
      return try body()
    } catch {
      throw OutputFailure(error: error)
    }
  }
}
