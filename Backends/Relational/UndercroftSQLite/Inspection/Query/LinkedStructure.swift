/// A C structure that SQLite uses, followed in memory by a reference to a Swift object.
///
/// A module of SQLite extends the structures `sqlite3_vtab` and `sqlite3_vtab_cursor` in this way.
enum LinkedStructure<Object: AnyObject> {
  /// Allocates a copy of `structure` with a reference to `object`, which the copy retains.
  static func allocate<Structure>(
    _ structure: Structure, _ object: Object
  ) -> UnsafeMutablePointer<Structure> {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: offset(after: Structure.self) + MemoryLayout<UnsafeMutableRawPointer>.size,
      alignment: max(
        MemoryLayout<Structure>.alignment, MemoryLayout<UnsafeMutableRawPointer>.alignment))
    memory.storeBytes(
      of: Unmanaged.passRetained(object).toOpaque(), toByteOffset: offset(after: Structure.self),
      as: UnsafeMutableRawPointer.self)
    return memory.initializeMemory(as: Structure.self, to: structure)
  }

  /// Returns the object of a structure that ``allocate(_:_:)`` returned.
  static func object<Structure>(of structure: UnsafeMutablePointer<Structure>) -> Object {
    reference(in: structure).takeUnretainedValue()
  }

  /// Releases the object of a structure that ``allocate(_:_:)`` returned, and frees the structure.
  static func free<Structure>(_ structure: UnsafeMutablePointer<Structure>) {
    reference(in: structure).release()
    UnsafeMutableRawPointer(structure).deallocate()
  }

  private static func reference<Structure>(
    in structure: UnsafeMutablePointer<Structure>
  ) -> Unmanaged<Object> {
    .fromOpaque(
      UnsafeRawPointer(structure).load(
        fromByteOffset: offset(after: Structure.self), as: UnsafeMutableRawPointer.self))
  }

  private static func offset<Structure>(after: Structure.Type) -> Int {
    let alignment = MemoryLayout<UnsafeMutableRawPointer>.alignment
    return (MemoryLayout<Structure>.size + alignment - 1) / alignment * alignment
  }
}
