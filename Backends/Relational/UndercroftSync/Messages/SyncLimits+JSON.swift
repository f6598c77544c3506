extension SyncLimits {
  var json: JSONValue {
    var object = WireObject()
    object[.operations] = .integer(Int64(operations))
    object[.bytes] = .integer(Int64(bytes))
    object[.window] = .integer(Int64(window))
    object[.held] = .integer(Int64(heldPackets))
    object[.page] = .integer(Int64(pageRows))
    object[.maximumDrift] = .integer(maximumDrift)
    return object.json
  }

  init(json: JSONValue) throws(WireError) {
    let object = try WireObject(json)
    func count(_ name: WireName) throws(WireError) -> Int {
      try object.read(name) { json throws(WireError) in
        let count = try WireForm.natural(json)
        guard count > 0 else { throw WireError("expected a limit of at least 1, found 0") }
        return Int(clamping: count)
      }
    }
    self.init()
    operations = try count(.operations)
    bytes = try count(.bytes)
    window = try count(.window)
    heldPackets = try count(.held)
    pageRows = try count(.page)
    maximumDrift = try object.read(.maximumDrift, WireForm.natural)
  }
}
