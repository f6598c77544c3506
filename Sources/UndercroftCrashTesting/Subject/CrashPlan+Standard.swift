import UndercroftCore
import UndercroftFoundation
import UndercroftTesting

extension CrashPlan {
  /// The standard plan for a backend: 26 batches of sample data, with explicit
  /// checkpoints, and with one step that closes and reopens the store.
  ///
  /// The batches set one or several names, remove values, and replace them by
  /// larger, smaller, empty and zero-filled values. The batches also use names that
  /// may need a folder, write a value in chunks, and remove all names in one batch.
  public static let standard = CrashPlan([
    .apply([.set("reader", text(1, 40))]),
    .apply([.set("book", text(2, 60)), .set("loan", text(2, 30)), .set("shelf", text(2, 20))]),
    .apply([.set("reader", text(3, 700))]),
    .apply([.remove("loan"), .set("book", text(4, 8)), .set("fee", text(4, 50))]),
    .checkpoint,
    .apply([.set("house/branch/desk", text(5, 90)), .set("house/hall", text(5, 10))]),
    .apply([.set("atlas", text(6, 9_000))]),
    .apply([.set("fee", Data()), .set("book", text(7, 300))]),
    .apply([.set("form", Data(count: 5_000)), .remove("shelf")]),
    .stream("film", [text(9, 3_000), text(9, 2_500), text(9, 900)]),
    .apply([.remove("atlas")]),
    .checkpoint,
    .apply([.set("reader", text(11, 4)), .set("loan", text(11, 25))]),
    .apply((0..<8).map { .set("card/\($0)", text(12, 30 + $0)) }),
    .apply([.remove("house/hall"), .remove("card/3"), .set("card/4", text(13, 2_000))]),
    .reopen,
    .apply([.set("reader", text(14, 120))]),
    .apply([.set("film", text(15, 20)), .remove("form"), .set("atlas", text(15, 4_200))]),
    .apply([.set("slip", Data(count: 600))]),
    .checkpoint,
    .apply([.set("book", text(17, 513)), .set("loan", text(17, 511))]),
    .apply([.remove("house/branch/desk")]),
    .stream("film", [text(19, 10), text(19, 4_096)]),
    .apply((0..<8).map { .remove("card/\($0)") } + [.set("fee", text(20, 70))]),
    .apply([.set("atlas", text(21, 12_000)), .set("reader", Data())]),
    .apply([.set("loan", text(22, 33))]),
    .checkpoint,
    .apply([.set("book", text(23, 90)), .remove("slip")]),
    .apply([.set("shelf", text(24, 64))]),
    .apply(["atlas", "book", "fee", "film", "loan", "reader", "shelf"].map { .remove($0) }),
    .apply([.set("reader", text(26, 80)), .set("loan", text(26, 15))]),
  ])

  /// The plan of the writer that continues after a first crash.
  package static let continuation = CrashPlan([
    .apply([.set("second", text(101, 50))]),
    .apply([.set("reader", text(102, 700)), .remove("book"), .set("second", text(102, 20))]),
    .checkpoint,
    .apply([.set("second", text(103, 5_000))]),
  ])

  /// Returns `count` bytes that no other batch of the plan writes.
  private static func text(_ batch: Int, _ count: Int) -> Data {
    var random = SeededGenerator(seed: UInt64(batch) << 20 | UInt64(count))
    var bytes = Data("\(batch):".utf8)
    while bytes.count < count { bytes.append(UInt8.random(in: 1...255, using: &random)) }
    return bytes.prefix(max(count, 3))
  }
}
