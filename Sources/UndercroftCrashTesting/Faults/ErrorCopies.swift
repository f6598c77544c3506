package import UndercroftFoundation

/// The copies of a store's files that one writer makes after its errors.
package struct ErrorCopies {
  private let folder: URL
  private let isCopying: Bool
  private let reporter: ProgressReporter
  private var count = 0

  /// - Parameter isCopying: whether ``add(readAs:)`` makes copies.
  package init(of folder: URL, isCopying: Bool, _ reporter: ProgressReporter) {
    (self.folder, self.isCopying, self.reporter) = (folder, isCopying, reporter)
  }

  /// Copies the files, with system calls that do not fail, and reports the copy.
  ///
  /// - Parameter contents: the contents that the writer reads from the files, or `nil` if they are
  ///   unknown.
  package mutating func add(readAs contents: [String: Data]?) {
    guard isCopying else { return }
    let copy = ErrorCopy(number: count + 1, of: folder)
    var isMade = false
    FaultShim.paused { isMade = copy.make(of: folder, readAs: contents) }
    guard isMade else { return }
    count += 1
    reporter.report(.copied(count))
  }
}
