/// A replay of a trace, which reconstructs the disk that a crash leaves.
package struct Replay: Sendable {
  /// The recording of the writer's operations.
  package let trace: Trace
  /// For each operation, the index of the flush that makes the
  /// operation durable, or `nil` if the operation is never flushed.
  private let flushes: [Int?]
  private let flushPositions: [Int]

  /// Creates a replay, and determines which flush makes each operation durable.
  package init(_ trace: Trace) {
    self.trace = trace
    var flushes = [Int?](repeating: nil, count: trace.operations.count)
    var waitingFiles: [Int: [Int]] = [:]
    var waitingFolders: [Int: [Int]] = [:]
    var positions: [Int] = []
    func settle(_ waiting: inout [Int], by flush: Int, before: Int) {
      for operation in waiting where operation < before { flushes[operation] = flush }
      waiting.removeAll { $0 < before }
    }
    for (index, operation) in trace.operations.enumerated() {
      if let node = operation.changedFile { waitingFiles[node, default: []].append(index) }
      if let node = operation.changedFolder { waitingFolders[node, default: []].append(index) }
      switch operation {
      case .flush(let node, let before):
        settle(&waitingFiles[node, default: []], by: index, before: before)
        settle(&waitingFolders[node, default: []], by: index, before: before)
        positions.append(index)
      case .flushAll(let before):
        for node in waitingFiles.keys {
          settle(&waitingFiles[node, default: []], by: index, before: before)
        }
        for node in waitingFolders.keys {
          settle(&waitingFolders[node, default: []], by: index, before: before)
        }
        positions.append(index)
      default: break
      }
    }
    self.flushes = flushes
    flushPositions = positions
  }

  /// Returns the indices of the operations before `point`
  /// that no flush before `point` has made durable.
  package func pending(at point: Int) -> [Int] {
    (0..<point).filter { index in
      let operation = trace.operations[index]
      guard operation.changedFile != nil || operation.changedFolder != nil else { return false }
      return flushes[index].map { $0 >= point } ?? true
    }
  }

  /// Returns the index of the last flush before a point, or -1 if there is none.
  func lastFlush(before point: Int) -> Int { flushPositions.last { $0 < point } ?? -1 }

  /// Returns the disk after the first `point` operations, without losses.
  package func disk(after point: Int) -> DiskModel {
    var model = trace.before
    for operation in trace.operations.prefix(point) { model.apply(operation) }
    return model
  }

  /// Returns the disk with only the operations that are durable at a point.
  ///
  /// - Parameters:
  ///   - point: the number of operations before the point.
  ///   - pending: the indices of the operations that no flush has made durable at the point.
  package func durableDisk(at point: Int, pending: [Int]) -> DiskModel {
    var model = trace.before
    model.reserveNodes(of: trace.operations.prefix(point))
    let missing = Set(pending)
    for index in 0..<point where !missing.contains(index) { model.apply(trace.operations[index]) }
    return model
  }

  /// Returns the disk after a power failure.
  ///
  /// - Parameters:
  ///   - state: the operations, bytes and pages that are lost.
  ///   - durable: the disk with only the operations that are durable at the point of the crash.
  ///   - pending: the indices of the operations that no flush has made durable at that point.
  package func disk(
    of state: CrashState, durable: DiskModel, pending: [Int]
  ) -> DiskModel {
    var model = durable
    for index in pending where !state.lost.contains(index) {
      if let torn = state.torn, torn.operation == index {
        Self.apply(trace.operations[index], torn.how, to: &model)
      } else {
        model.apply(trace.operations[index])
      }
    }
    if let pages = state.pages {
      Self.drop(pages.missing, of: pages.node, in: &model, before: durable)
    }
    return model
  }

  /// Returns the disk after a process was killed, possibly in the middle of a write.
  ///
  /// - Parameters:
  ///   - state: the state that the crash left, including the torn write if there is one.
  ///   - base: the disk with all operations that were completed before the process was killed.
  package func disk(of state: CrashState, over base: DiskModel) -> DiskModel {
    guard let torn = state.torn else { return base }
    var model = base
    Self.apply(trace.operations[torn.operation], torn.how, to: &model)
    return model
  }

  private static func apply(
    _ operation: FileOperation, _ tear: CrashState.Tear, to model: inout DiskModel
  ) {
    guard case .write(let node, let offset, let bytes) = operation else { return }
    switch tear {
    case .cut(let count):
      model.apply(.write(node: node, offset: offset, bytes: bytes.slice(0..<count)))
    case .zeros(let count):
      model.apply(.write(node: node, offset: offset, bytes: bytes.slice(0..<count)))
      let end = max(offset + bytes.count, model.nodes[node].bytes.count)
      model.apply(.truncate(node: node, size: end))
    case .missing(let range):
      model.apply(
        .write(node: node, offset: offset, bytes: bytes.slice(0..<range.lowerBound)))
      if range.upperBound < bytes.count {
        model.apply(
          .write(
            node: node, offset: offset + range.upperBound,
            bytes: bytes.slice(range.upperBound..<bytes.count))
        )
      } else {
        let end = max(offset + bytes.count, model.nodes[node].bytes.count)
        model.apply(.truncate(node: node, size: end))
      }
    }
  }

  static let pageSize = 4_096

  /// Restores the old bytes of pages, with zeros for pages after the old end of the file.
  private static func drop(
    _ pages: Set<Int>, of node: Int, in model: inout DiskModel, before: DiskModel
  ) {
    let old = before.nodes[node].bytes
    var bytes = model.nodes[node].bytes
    for page in pages where page * pageSize < bytes.count {
      let range = page * pageSize..<min(bytes.count, (page + 1) * pageSize)
      let there = min(range.lowerBound, old.count)..<min(range.upperBound, old.count)
      bytes.overwrite(range.lowerBound, with: old.slice(there).resized(to: range.count))
    }
    model.setBytes(bytes, of: node)
  }
}
