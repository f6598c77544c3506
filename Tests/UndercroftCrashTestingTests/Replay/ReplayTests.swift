import Testing
import UndercroftCrashTesting

@Suite struct ReplayTests {
  private typealias Model = DiskModel

  private func trace(_ operations: [FileOperation]) -> Trace { Trace(operations: operations) }

  private func create(_ name: String, _ node: Int) -> FileOperation {
    .create(folder: DiskModel.root, name: name, node: node, .file, mode: 0o600)
  }

  private func write(_ text: String, at offset: Int = 0, of node: Int) -> FileOperation {
    .write(node: node, offset: offset, bytes: Array(text.utf8))
  }

  /// The files of every final state of a trace as "name=bytes", with the state's order.
  private func states(_ operations: [FileOperation]) -> [String: StateOrder] {
    let replay = Replay(trace(operations))
    let point = operations.count
    let pending = replay.pending(at: point)
    let durable = replay.durableDisk(at: point, pending: pending)
    var found: [String: StateOrder] = [:]
    for state in PowerStates.all(at: point, of: replay, pending: pending, seed: 1) {
      let disk = replay.disk(of: state, durable: durable, pending: pending)
      let text = disk.paths.map { path, node in
        "\(path)="
          + String(decoding: disk.nodes[node].bytes.map { $0 == 0 ? 95 : $0 }, as: UTF8.self)
      }.joined(separator: " ")
      found[text] = min(found[text] ?? state.order, state.order)
    }
    return found
  }

  @Test func `a file flushed together with its folder survives every simulated power failure`() {
    let states = states([
      create("book", 1), write("ab", of: 1), .flush(node: 1, before: 2),
      .flush(node: DiskModel.root, before: 3),
    ])

    #expect(states == ["book=ab": .ordered])
  }

  @Test func `a power failure can remove the name of a new file whose folder was not flushed`() {
    let states = states([create("book", 1), write("ab", of: 1), .flush(node: 1, before: 2)])

    #expect(states == ["book=ab": .ordered, "": .namesReordered])
  }

  @Test func `unflushed bytes can be present, missing or zero after a power failure`() {
    let states = states([
      create("book", 1), .flush(node: DiskModel.root, before: 1), write("ab", of: 1),
    ])

    #expect(states == ["book=": .ordered, "book=ab": .ordered, "book=__": .orderedZeros])
  }

  @Test
  func `a crash state with a surviving write after a lost write is classified as reordered`() {
    let states = states([
      create("book", 1), .flush(node: DiskModel.root, before: 1), write("ab", of: 1),
      write("cd", at: 2, of: 1),
    ])

    #expect(states["book=abcd"] == .ordered)
    #expect(states["book=ab"] == .ordered)
    #expect(states["book=__cd"] == .dataReordered)
  }

  @Test
  func
    `a crash state that lost a truncation before a surviving write is not classified as reordered`()
  {
    let states = states([
      create("book", 1), write("abcdef", of: 1), .flush(node: 1, before: 2),
      .flush(node: DiskModel.root, before: 3), .truncate(node: 1, size: 2),
      write("XY", at: 2, of: 1),
    ])

    #expect(states["book=abXYef"] == .ordered)
    #expect(states["book=abXY"] == .ordered)
    #expect(states["book=abcdef"] == .ordered)
    #expect(states["book=ab__"] == .orderedZeros)
  }

  @Test func `an unflushed rename leaves the old or the new file after a power failure`() {
    let states = states([
      create("book", 1), write("a", of: 1), .flush(node: 1, before: 2), create("new", 2),
      write("b", of: 2), .flush(node: 2, before: 5), .flush(node: DiskModel.root, before: 6),
      .rename(node: 2, from: DiskModel.root, name: "new", to: DiskModel.root, newName: "book"),
    ])

    #expect(states == ["book=b": .ordered, "book=a new=b": .ordered])
  }

  @Test
  func `a simulated crash loses no operation that ended before a flush of all files`() {
    let operations = [create("book", 1), write("ab", of: 1), .flushAll(before: 2)]

    #expect(Replay(trace(operations)).pending(at: 3).isEmpty)
    #expect(Replay(trace(operations)).pending(at: 2) == [0, 1])
  }

  @Test
  func `a crash can lose one pending operation, that one and all later ones, or all but that one`()
  {
    var operations = [create("book", 1), FileOperation.flush(node: DiskModel.root, before: 1)]
    for index in 0..<14 { operations.append(write("x", at: index, of: 1)) }
    let replay = Replay(trace(operations))
    let pending = replay.pending(at: operations.count)

    let states = PowerStates.all(at: operations.count, of: replay, pending: pending, seed: 1)

    let lost = Set(states.map(\.lost))
    for count in 0...14 { #expect(lost.contains(Set(pending[count...]))) }
    for operation in pending {
      #expect(lost.contains([operation]))
      #expect(lost.contains(Set(pending).subtracting([operation])))
    }
    #expect(states.count > 200)
  }

  @Test func `the same seed selects the same disk states of a simulated power failure`() {
    var operations = [create("book", 1)]
    for index in 0..<14 { operations.append(write("x", at: index * 4_096, of: 1)) }
    let replay = Replay(trace(operations))
    let point = operations.count
    let pending = replay.pending(at: point)

    // The order of a set's elements differs between sets, even within one process.
    let choices = (0..<8).map { _ in
      PowerStates.all(at: point, of: replay, pending: pending, seed: 1).map(\.description)
    }

    #expect(Set(choices).count == 1)
    #expect(
      PowerStates.all(at: point, of: replay, pending: pending, seed: 2).map(\.description)
        != choices[0])
  }

  @Test func `the description of a crash state names the files of its operations`() {
    let trace = trace([
      .create(folder: DiskModel.root, name: "house", node: 1, .folder, mode: 0o700),
      .create(folder: 1, name: "book", node: 2, .file, mode: 0o600), write("abcd", of: 2),
      .rename(node: 2, from: 1, name: "book", to: DiskModel.root, newName: "loan"),
    ])
    var state = CrashState(.power, point: 4)
    state.lost = [1, 3]
    state.torn = (2, .missing(1..<3))

    #expect(
      state.text(OperationNames(trace))
        == "power after operation 4, lost: the creation of \"house/book\" (operation 1), "
        + "the rename of \"house/book\" to \"loan\" (operation 3), "
        + "torn: the write of 4 bytes at 0 of \"house/book\" (operation 2): "
        + "its bytes 1–2 are missing (ordered)")
  }

  @Test
  func `a BatchWindow description names the batches that must or can be present after a crash`() {
    #expect("\(BatchWindow(required: 14, begun: 15))" == "batch 14 must be there, batch 15 may be")
    #expect("\(BatchWindow(required: 14, begun: 14))" == "batch 14 must be there")
    #expect("\(BatchWindow(required: 0, begun: 0))" == "no batch has begun")
    #expect(
      "\(BatchWindow(required: 0, begun: 3))" == "no batch must be there, batches 1–3 may be")
  }

  @Test func `if a crash loses one page of a write, that page of the file retains its old bytes`() {
    let old = [UInt8](repeating: 65, count: 8_192)
    let new = [UInt8](repeating: 66, count: 12_288)
    let replay = Replay(
      trace([
        create("book", 1), .write(node: 1, offset: 0, bytes: old), .flush(node: 1, before: 2),
        .flush(node: DiskModel.root, before: 3), .write(node: 1, offset: 0, bytes: new),
      ]))
    let pending = replay.pending(at: 5)
    let durable = replay.durableDisk(at: 5, pending: pending)
    var state = CrashState(.power, point: 5)
    state.pages = (1, [1, 2])

    let bytes = replay.disk(of: state, durable: durable, pending: pending).nodes[1].bytes

    #expect(bytes[0] == 66 && bytes[4_096] == 65 && bytes[8_192] == 0 && bytes.count == 12_288)
  }

  @Test
  func `a simulated SIGKILL cuts a write at a page boundary, in the middle or a byte from an end`()
  {
    let trace = trace([
      create("book", 1), .write(node: 1, offset: 4_000, bytes: .init(repeating: 1, count: 200)),
    ])

    let cuts = KillStates.all(at: 1, of: trace).map { state -> Int in
      if case .cut(let count)? = state.torn?.how { count } else { 0 }
    }

    #expect(cuts == [0, 1, 96, 100, 199])
  }

  @Test
  func `unflushed operations of a killed writer remain unflushed when the next writer begins`() {
    let first = trace([create("book", 1), write("ab", of: 1), .flush(node: 1, before: 2)])
    let next = Trace(
      before: first.after, operations: [write("cd", at: 2, of: 1), .flush(node: 1, before: 1)])

    let joined = first.killed(after: 2, then: next)

    #expect(Replay(joined).pending(at: 4) == [0])
    #expect(Replay(joined).pending(at: 2) == [0, 1])
  }
}
