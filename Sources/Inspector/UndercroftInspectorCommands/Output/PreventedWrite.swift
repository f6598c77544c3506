import UndercroftCore

/// The underlying error of a command that writes, if other processes prevent the write.
///
/// The suggestion of such an error names the option `--wait`, so it must not be replaced by the
/// options that read a store beside its writer.
struct PreventedWrite: Error {}

extension StorageError {
  /// The same error with the option `--wait` as the suggestion, and with ``PreventedWrite`` as its
  /// cause.
  var suggestingToWait: StorageError {
    if underlying is PreventedWrite { return self }
    return StorageError(
      code, failure, suggestion: "repeat the command later, or pass --wait SECONDS",
      backend: backend, key: key, underlying: PreventedWrite())
  }
}
