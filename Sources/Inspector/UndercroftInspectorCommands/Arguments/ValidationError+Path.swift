import ArgumentParser

extension ValidationError {
  /// Throws an error if a path is empty, as an unset variable of a shell makes it.
  ///
  /// - Parameters:
  ///   - path: the path, or `nil` if the argument is omitted.
  ///   - name: the name of the argument.
  static func requirePath(_ path: String?, named name: String = "path") throws {
    guard path?.isEmpty == true else { return }
    throw ValidationError(
      "The argument <\(name)> is empty. Pass a path, or \".\" for the working directory.")
  }
}
