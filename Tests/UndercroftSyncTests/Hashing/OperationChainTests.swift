import Testing
import UndercroftSync

@Suite struct OperationChainTests {
  private func chain(_ operations: OperationIdentifier...) -> OperationChain {
    operations.reduce(into: OperationChain()) { $0.append($1) }
  }

  @Test
  func `an operation chain contains a count and a hash of all operations, and the last operation`()
  {
    let chain = chain("op1", "op2")

    let first = SHA256Digest(of: [UInt8](repeating: 0, count: 32) + "op1".utf8)
    #expect(chain.count == 2)
    #expect(chain.lastOperation == "op2")
    #expect(chain.hash == SHA256Digest(of: first.bytes + "op2".utf8))
  }

  @Test func `an empty operation chain has neither a last operation nor a hash`() {
    #expect(OperationChain().count == 0)
    #expect(OperationChain().lastOperation == nil)
    #expect(OperationChain().hash == nil)
  }

  @Test func `different operation chains with the same last operation have different hashes`() {
    #expect(chain("op1", "op3").hash != chain("op2", "op3").hash)
    #expect(chain("op3").hash != chain("op2", "op3").hash)
    #expect(chain("op1", "op2").hash != chain("op2", "op1").hash)
    #expect(chain("op1op2").hash != chain("op1", "op2").hash)
  }

  @Test
  func `appending to a stored operation chain produces the same hash as appending to the original`()
  {
    let before = chain("op1", "op2")
    var stored = OperationChain(count: 2, lastOperation: "op2", hash: before.hash)

    stored.append("op3")

    #expect(stored == chain("op1", "op2", "op3"))
  }

  @Test func `the count of an operation chain stays at its maximum and does not overflow`() {
    var chain = OperationChain(count: .max, lastOperation: "op1", hash: nil)

    chain.append("op2")

    #expect(chain.count == .max)
  }
}
