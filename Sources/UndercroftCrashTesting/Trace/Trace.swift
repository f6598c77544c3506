/// The recorded operations of a writer on the files in one folder, with the progress that the
/// writer reported.
package struct Trace: Sendable {
  /// A model of the files in the folder before the first operation.
  package let before: DiskModel
  /// The recorded operations in their order.
  package internal(set) var operations: [FileOperation] = []
  /// The lines of progress that the writer printed, in order.
  package internal(set) var progressLines: [ProgressLine] = []

  /// Creates a trace without reported progress.
  package init(before: DiskModel = DiskModel(), operations: [FileOperation] = []) {
    self.before = before
    self.operations = operations
  }

  /// A line that the writer printed between two operations.
  package struct ProgressLine: Sendable, Equatable {
    /// The number of operations that the writer had completed when it printed the line.
    package let position: Int
    /// The progress that the line reports.
    package let progress: WriterProgress

    package init(position: Int, progress: WriterProgress) {
      self.position = position
      self.progress = progress
    }
  }

  /// A model of the files in the folder after the last operation.
  package var after: DiskModel {
    var model = before
    for operation in operations { model.apply(operation) }
    return model
  }

  /// Returns a trace of the first `count` operations, followed by the operations of `next`.
  ///
  /// The node numbers of `next` must continue the node numbers of this trace. This is the case if
  /// `next` was recorded with a model of the files after the first `count` operations.
  package func killed(after count: Int, then next: Trace) -> Trace {
    var joined = Trace(before: before, operations: Array(operations.prefix(count)))
    joined.operations += next.operations.map { $0.shifted(by: count) }
    joined.progressLines =
      progressLines.filter { $0.position <= count }
      + next.progressLines.map {
        ProgressLine(position: $0.position + count, progress: $0.progress)
      }
    return joined
  }
}

extension FileOperation {
  fileprivate func shifted(by count: Int) -> FileOperation {
    switch self {
    case .flush(let node, let before): .flush(node: node, before: before + count)
    case .flushAll(let before): .flushAll(before: before + count)
    default: self
    }
  }
}
