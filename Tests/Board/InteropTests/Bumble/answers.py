"""Compares the answers of one of our controllers to all its supported commands with those of Bumble's controller."""
import asyncio
import dataclasses

from bench import device, run, say, soon
from bumble import hci
from bumble.controller import Controller
from bumble.hci import Address

PEER = Address("F0:F0:F0:F0:F0:09/P")
STATIC = Address("C0:00:00:00:00:01")
KEY = bytes(range(16))
# Parameters of commands that refuse zeros, in a valid order.
PARAMETERS = {
    "HCI_Reset": {},
    "HCI_Set_Event_Mask": {"event_mask": bytes.fromhex("ffffffffffffff3f")},
    "HCI_Set_Event_Mask_Page_2": {"event_mask_page_2": bytes(8)},
    "HCI_LE_Set_Event_Mask": {"le_event_mask": bytes.fromhex("ffffff0000000000")},
    "HCI_LE_Set_Random_Address": {"random_address": STATIC},
    "HCI_LE_Set_Default_PHY": {"all_phys": 3, "tx_phys": 0, "rx_phys": 0},
    "HCI_LE_Write_Suggested_Default_Data_Length": {"suggested_max_tx_octets": 251, "suggested_max_tx_time": 2120},
    "HCI_LE_Set_Resolvable_Private_Address_Timeout": {"rpa_timeout": 900},
    "HCI_LE_Add_Device_To_Resolving_List": {
        "peer_identity_address_type": 0, "peer_identity_address": PEER, "peer_irk": KEY, "local_irk": KEY,
    },
    "HCI_LE_Set_Privacy_Mode": {"peer_identity_address_type": 0, "peer_identity_address": PEER, "privacy_mode": 1},
    "HCI_LE_Set_Address_Resolution_Enable": {"address_resolution_enable": 1},
    "HCI_LE_Add_Device_To_Filter_Accept_List": {"address_type": 0, "address": PEER},
    "HCI_LE_Remove_Device_From_Filter_Accept_List": {"address_type": 0, "address": PEER},
    "HCI_Read_Local_Extended_Features": {"page_number": 0},
}
LEGACY = {
    "HCI_LE_Read_Advertising_Physical_Channel_Tx_Power": {},
    "HCI_LE_Set_Advertising_Parameters": {
        "advertising_interval_min": 0x100, "advertising_interval_max": 0x100, "advertising_type": 0,
        "own_address_type": 0, "peer_address_type": 0, "peer_address": PEER, "advertising_channel_map": 7,
        "advertising_filter_policy": 0,
    },
    "HCI_LE_Set_Advertising_Data": {"advertising_data": b"\x02\x01\x06"},
    "HCI_LE_Set_Scan_Response_Data": {"scan_response_data": b"\x02\x01\x06"},
    "HCI_LE_Set_Advertising_Enable": {"advertising_enable": 1},
    "HCI_LE_Set_Scan_Parameters": {
        "le_scan_type": 1, "le_scan_interval": 16, "le_scan_window": 16, "own_address_type": 0,
        "scanning_filter_policy": 0,
    },
    "HCI_LE_Set_Scan_Enable": {"le_scan_enable": 1, "filter_duplicates": 0},
    "HCI_LE_Create_Connection": {
        "le_scan_interval": 16, "le_scan_window": 16, "initiator_filter_policy": 0, "peer_address_type": 0,
        "peer_address": PEER, "own_address_type": 0, "connection_interval_min": 24, "connection_interval_max": 24,
        "max_latency": 0, "supervision_timeout": 100, "min_ce_length": 0, "max_ce_length": 0,
    },
    "HCI_LE_Create_Connection_Cancel": {},
}
EXTENDED = {
    "HCI_LE_Set_Extended_Advertising_Parameters": {
        "advertising_handle": 1, "advertising_event_properties": 0x13, "primary_advertising_interval_min": 0x100,
        "primary_advertising_interval_max": 0x100, "primary_advertising_channel_map": 7, "own_address_type": 1,
        "peer_address_type": 0, "peer_address": PEER, "advertising_filter_policy": 0, "advertising_tx_power": 0,
        "primary_advertising_phy": 1, "secondary_advertising_max_skip": 0, "secondary_advertising_phy": 1,
        "advertising_sid": 3, "scan_request_notification_enable": 0,
    },
    "HCI_LE_Set_Advertising_Set_Random_Address": {"advertising_handle": 1, "random_address": STATIC},
    "HCI_LE_Set_Extended_Advertising_Data": {
        "advertising_handle": 1, "operation": 3, "fragment_preference": 0, "advertising_data": b"\x02\x01\x06",
    },
    "HCI_LE_Set_Extended_Scan_Response_Data": {
        "advertising_handle": 1, "operation": 3, "fragment_preference": 0, "scan_response_data": b"\x02\x01\x06",
    },
    "HCI_LE_Set_Extended_Advertising_Enable": {
        "enable": 1, "advertising_handles": [1], "durations": [0], "max_extended_advertising_events": [0],
    },
    "HCI_LE_Set_Extended_Scan_Parameters": {
        "own_address_type": 0, "scanning_filter_policy": 0, "scanning_phys": 1, "scan_types": [1],
        "scan_intervals": [16], "scan_windows": [16],
    },
    "HCI_LE_Set_Extended_Scan_Enable": {"enable": 1, "filter_duplicates": 0, "duration": 0, "period": 0},
    "HCI_LE_Extended_Create_Connection": {
        "initiator_filter_policy": 0, "own_address_type": 0, "peer_address_type": 0, "peer_address": PEER,
        "initiating_phys": 1, "scan_intervals": [16], "scan_windows": [16], "connection_interval_mins": [24],
        "connection_interval_maxs": [24], "max_latencies": [0], "supervision_timeouts": [100], "min_ce_lengths": [0],
        "max_ce_lengths": [0],
    },
    "HCI_LE_Create_Connection_Cancel": {},
    # In the reverse direction.
    "HCI_LE_Set_Extended_Scan_Enable ": {"enable": 0, "filter_duplicates": 0, "duration": 0, "period": 0},
    "HCI_LE_Set_Extended_Advertising_Enable ": {
        "enable": 0, "advertising_handles": [], "durations": [], "max_extended_advertising_events": [],
    },
    "HCI_LE_Remove_Advertising_Set": {"advertising_handle": 1},
    "HCI_LE_Clear_Advertising_Sets": {},
    "HCI_LE_Read_Number_Of_Supported_Advertising_Sets": {},
    "HCI_LE_Read_Maximum_Advertising_Data_Length": {},
}
# Commands that need a connection or a peer, have no answer, or cause later events; `both.py` and `modern.py` test those
# that Bumble's host sends.
ELSEWHERE = {
    "HCI_Disconnect", "HCI_Read_Remote_Version_Information", "HCI_LE_Connection_Update", "HCI_LE_Read_Remote_Features",
    "HCI_Read_RSSI", "HCI_LE_Set_Data_Length", "HCI_LE_Read_PHY", "HCI_LE_Set_PHY", "HCI_LE_Enable_Encryption",
    "HCI_LE_Long_Term_Key_Request_Reply", "HCI_LE_Long_Term_Key_Request_Negative_Reply",
    "HCI_LE_Remote_Connection_Parameter_Request_Reply", "HCI_LE_Remote_Connection_Parameter_Request_Negative_Reply",
    "HCI_Write_Authenticated_Payload_Timeout", "HCI_Host_Number_Of_Completed_Packets", "HCI_Host_Buffer_Size",
    "HCI_Set_Controller_To_Host_Flow_Control",
}
# Supported by our controller; Bumble has no class for them.
UNKNOWN = {
    "HCI_HOST_NUMBER_OF_COMPLETED_PACKETS_COMMAND",
    "HCI_LE_ENCRYPT_COMMAND",
    "HCI_LE_GENERATE_DHKEY_COMMAND",
    "HCI_LE_READ_CHANNEL_MAP_COMMAND",
    "HCI_LE_READ_LOCAL_RESOLVABLE_ADDRESS_COMMAND",
    "HCI_LE_READ_PEER_RESOLVABLE_ADDRESS_COMMAND",
    "HCI_LE_READ_RF_PATH_COMPENSATION_COMMAND",
    "HCI_LE_RECEIVER_TEST_COMMAND",
    "HCI_LE_RECEIVER_TEST_V2_COMMAND",
    "HCI_LE_REMOVE_DEVICE_FROM_RESOLVING_LIST_COMMAND",
    "HCI_LE_SET_HOST_CHANNEL_CLASSIFICATION_COMMAND",
    "HCI_LE_TEST_END_COMMAND",
    "HCI_LE_TRANSMITTER_TEST_COMMAND",
    "HCI_LE_TRANSMITTER_TEST_V2_COMMAND",
    "HCI_LE_WRITE_RF_PATH_COMPENSATION_COMMAND",
    "HCI_READ_AUTHENTICATED_PAYLOAD_TIMEOUT_COMMAND",
}


class Sink:
    """A host that waits for a controller's answers."""

    def __init__(self):
        self.answers = asyncio.Queue()

    def on_packet(self, packet):
        event = hci.HCI_Packet.from_bytes(packet)
        if isinstance(event, (hci.HCI_Command_Complete_Event, hci.HCI_Command_Status_Event)):
            self.answers.put_nowait((packet, event))


def kinds(supported):
    """The supported commands: the classes by name, and the codes without a Bumble class."""
    codes = {code for code, mask in hci.HCI_SUPPORTED_COMMANDS_MASKS.items() if supported & mask}
    classes = {code: hci.HCI_Command.command_classes.get(code) for code in codes}
    named = {it.__name__.removesuffix("_Command"): it for it in classes.values() if it}
    return named, {hci.HCI_Command.command_name(code) for code, it in classes.items() if not it}


async def compare(host, theirs, kind, parameters):
    """Sends a command to both controllers: ours must succeed, with as many bytes as Bumble's if that succeeds."""
    sent = kind(**parameters)
    name = kind.__name__
    if not isinstance(sent, hci.HCI_SyncCommand):
        await soon(host.send_async_command(sent))
        return
    try:
        answer = await soon(host.send_sync_command(sent))
    except hci.HCI_Error as error:
        raise AssertionError(f"{name}: {error}")
    # Compared with Bumble's encoding of the decoded answer, so that no byte is missing or surplus.
    again = bytes(hci.HCI_Command_Complete_Event(1, sent.op_code, answer))
    assert len(again) == host.last_length, (name, again.hex(), host.last_length)
    theirs.on_packet(bytes(sent))
    packet, event = await soon(theirs.host.answers.get())
    parameters = getattr(event, "return_parameters", None)
    if getattr(parameters, "status", None) == 0 and type(parameters) is type(answer):
        assert len(packet) == host.last_length, (name, packet.hex(), again.hex())
        compared.append(name)


def watch(host):
    """Records the length of each answer to `host`."""
    former = host.on_packet

    def on_packet(packet):
        if packet[:2] == b"\x04\x0e":
            host.last_length = len(packet)
        former(packet)

    host.on_packet = on_packet


compared = []


async def main(port, kind):
    async with device(port) as one:
        host = one.host
        watch(host)
        theirs = Controller("Bumble", None, Sink(), None, "F0:F0:F0:F0:F0:02")
        named, unknown = kinds(host.local_supported_commands)
        assert unknown <= UNKNOWN, unknown - UNKNOWN
        mine = EXTENDED if kind == "extended" else LEGACY
        tables = PARAMETERS | mine
        other = {name for name in LEGACY | EXTENDED if name not in mine}
        bare = sorted(named.keys() - {name.strip() for name in tables} - ELSEWHERE - other)
        for name in bare:
            assert not dataclasses.fields(named[name]), f"{name} is not tried"
        for table in [PARAMETERS, dict.fromkeys(bare, {}), mine]:
            for name, parameters in table.items():
                if name.strip() in named:
                    await compare(host, theirs, named[name.strip()], parameters)
        assert len(compared) >= 25, compared
        say("answers", len(compared))


run(main)
